export { until } from '../../packages/embedded-eventstore/test/support/until';
