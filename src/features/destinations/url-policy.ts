import type { AddressGuard } from '../../delivery/address-guard';
import { DomainError } from '../../kernel/errors';

/** Which URLs a destination may have (decisions, "Destination status": URL rules). */
export class UrlPolicy {
  constructor(
    private readonly allowInsecure: boolean,
    private readonly guard: AddressGuard,
  ) {}

  async check(text: string): Promise<void> {
    const url = parse(text);
    if (this.allowInsecure && (url.protocol === 'http:' || url.protocol === 'https:')) return;
    if (url.protocol !== 'https:') {
      throw new DomainError('url_not_https', 'The URL must start with https://.', { param: 'url' });
    }
    if (await this.guard.allows(url.hostname)) return;
    throw new DomainError('url_not_allowed', 'The URL points to an address that is not allowed.', {
      param: 'url',
    });
  }
}

const parse = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || [url.username, url.password, url.hash].some((part) => part !== '')) {
    throw new DomainError(
      'parameter_invalid',
      'url must be an absolute URL without user name, password or fragment.',
      { param: 'url' },
    );
  }
  return url;
};
