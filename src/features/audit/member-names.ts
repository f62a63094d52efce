import type { MemberDirectory } from '../../directories/member.directory';
import type { Vault } from '../../event-store/vault';

/**
 * Reads the names of members. The audit log stores their ids and roles only, because a name is
 * personal and its owner may change it or have it erased.
 */
export class MemberNames {
  constructor(
    private readonly directory: MemberDirectory,
    private readonly vault: Vault,
  ) {}

  /** Returns the current names by id. People without an account or a name are left out. */
  async read(ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    for (const id of new Set(ids)) {
      const sealed = this.directory.find(id)?.name ?? null;
      const name = sealed === null ? null : await this.vault.openText(id, sealed);
      if (name !== null) names.set(id, name);
    }
    return names;
  }
}
