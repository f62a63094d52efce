import type { ComponentChildren, JSX } from 'preact';
import { Empty, LinkButton } from '../ui/basics';
import { Page } from '../ui/page';

const Nothing = ({
  title,
  heading,
  children,
}: {
  title: string;
  heading: string;
  children: ComponentChildren;
}): JSX.Element => (
  <Page title={title}>
    <div class="card">
      <Empty title={heading} action={<LinkButton href="/console/">Go to the start</LinkButton>}>
        {children}
      </Empty>
    </div>
  </Page>
);

export const NotFound = (): JSX.Element => (
  <Nothing title="Page not found" heading="There is no such page">
    The address may be mistyped, or what it named has been removed.
  </Nothing>
);

/** Shown instead of a page that the role may not read. */
export const NoRight = ({
  title,
  children,
}: {
  title: string;
  children: ComponentChildren;
}): JSX.Element => (
  <Nothing title="No access" heading={title}>
    {children}
  </Nothing>
);
