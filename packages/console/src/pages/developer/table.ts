import type { PageComponent } from '../page-component';
import { Catalogue } from './catalogue';
import { Deliveries } from './deliveries';
import { DestinationPage } from './destination';
import { Destinations } from './destinations';
import { EventPage } from './event';
import { Events } from './events';
import { NewDestination } from './new-destination';
import { NewReplay } from './new-replay';
import { ReplayPage } from './replay';
import { Replays } from './replays';

/** The pages for developers. */
export const DEVELOPER_PAGES = {
  '/deliveries': Deliveries,
  '/destinations': Destinations,
  '/destinations/new': NewDestination,
  '/destinations/:id': DestinationPage,
  '/events': Events,
  '/events/:id': EventPage,
  '/catalogue': Catalogue,
  '/replays': Replays,
  '/replays/new': NewReplay,
  '/replays/:id': ReplayPage,
} as const satisfies Readonly<Record<string, PageComponent>>;
