import type { PageComponent } from '../page-component';
import { CohortPage } from './cohort';
import { Cohorts } from './cohorts';
import { MetricPage } from './metric';
import { Metrics } from './metrics';
import { MotionPage } from './motion';
import { Motions } from './motions';
import { NewCohort } from './new-cohort';
import { NewMotion } from './new-motion';
import { SubscriberPage } from './subscriber';
import { Subscribers } from './subscribers';
import { TicketPage } from './ticket';
import { Tickets } from './tickets';

/** The pages for support, growth and analytics. */
export const BUSINESS_PAGES = {
  '/subscribers': Subscribers,
  '/subscribers/:id': SubscriberPage,
  '/tickets': Tickets,
  '/tickets/:id': TicketPage,
  '/metrics': Metrics,
  '/metrics/:metric': MetricPage,
  '/cohorts': Cohorts,
  '/cohorts/new': NewCohort,
  '/cohorts/:id': CohortPage,
  '/motions': Motions,
  '/motions/new': NewMotion,
  '/motions/:id': MotionPage,
} as const satisfies Readonly<Record<string, PageComponent>>;
