import type { JSX } from 'preact';
import { Empty, LinkButton } from '../ui/basics';
import { Page } from '../ui/page';

export const NotFound = (): JSX.Element => (
  <Page title="Page not found">
    <div class="card">
      <Empty
        title="There is no such page"
        action={<LinkButton href="/console/">Go to the start</LinkButton>}
      >
        The address may be mistyped, or what it named has been removed.
      </Empty>
    </div>
  </Page>
);
