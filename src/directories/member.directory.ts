import type { EventStoreConnection } from '../event-store/connection';
import { Directory } from '../event-store/directory';
import { streams } from '../event-store/streams';
import { type KnownPerson, memberAggregate, type Person } from '../domain/members/member.decider';
import { type MemberFact, memberEvents } from '../domain/members/member.events';

/**
 * All people who may sign in, in memory and updated from the log: a revoked role ends at once in
 * all processes.
 */
export class MemberDirectory extends Directory<Person, MemberFact> {
  constructor(connection: EventStoreConnection) {
    super({ connection, category: 'member', decider: memberAggregate, events: memberEvents });
  }

  find(personId: string): KnownPerson | null {
    const person = this.get(streams.member(personId).name);
    return person?.status === 'known' ? person : null;
  }

  listMembers(tenantId: string): KnownPerson[] {
    return this.listKnown().filter(({ memberships }) => memberships.has(tenantId));
  }

  listInvited(tenantId: string): KnownPerson[] {
    return this.listKnown().filter(({ invitations }) =>
      [...invitations.values()].some((each) => each.tenantId === tenantId),
    );
  }

  private listKnown(): KnownPerson[] {
    return this.listStates().filter((person) => person.status === 'known');
  }
}
