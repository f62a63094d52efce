import type { ComponentChildren, JSX } from 'preact';
import { useName } from '../api/names';
import { maySee } from '../api/session';
import { useSubscriberName } from '../api/subscriber-names';
import { findTenantPage } from '../rights';
import { createTenantPath } from '../ui/page';

/** A link to a page of the tenant. If the role may not see the page, only the text is shown. */
export const PageLink = ({
  to,
  children,
}: {
  /** The path below the address of the tenant. */
  to: string;
  children: ComponentChildren;
}): JSX.Element => {
  const page = findTenantPage(to.split('?')[0] ?? '');
  if (page === undefined || !maySee(page)) return <span class="cell">{children}</span>;
  return (
    <a class="cell" href={createTenantPath(to)}>
      {children}
    </a>
  );
};

/** A link to a subscriber. It shows the name, or the id if the role may not see the name. */
export const SubscriberLink = ({
  id,
  email = null,
}: {
  id: string;
  /** The e-mail address, if the page has it already. */
  email?: string | null;
}): JSX.Element => (
  <PageLink to={`/subscribers/${id}`}>{email ?? <SubscriberName id={id} />}</PageLink>
);

const SubscriberName = ({ id }: { id: string }): JSX.Element => {
  const name = useSubscriberName(id);
  return name === undefined ? <code title={id}>{id}</code> : <span title={id}>{name}</span>;
};

/** The name of a plan; its id while the name is not loaded. */
export const PlanName = ({ id }: { id: string }): JSX.Element => <>{useName('plans', id)}</>;

/** A link to a destination. It shows the name, or the id if the role may not read destinations. */
export const DestinationLink = ({
  id,
  search = '',
}: {
  id: string;
  /** The tab and panel to open, beginning with `?`. */
  search?: string;
}): JSX.Element => (
  <PageLink to={`/destinations/${id}${search}`}>{useName('destinations', id)}</PageLink>
);
