/**
 * Icons on a grid of 16, drawn with lines of 1.5 px. The build writes them into index.html, so that
 * they are no part of the script.
 */
export const ICON_PATHS = {
  home: 'M2.5 7 8 2.5 13.5 7v6a.5.5 0 0 1-.5.5H9.75V10h-3.5v3.5H3a.5.5 0 0 1-.5-.5z',
  destinations: 'M2 8h8m0 0L7 5m3 3-3 3M12.5 2.5v11',
  deliveries: 'M2.5 8 13.5 3l-3 10.5L7.5 9z M7.5 9l6-6',
  events: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  catalogue:
    'M3 2.5h8.5a1 1 0 0 1 1 1v10H4a1 1 0 0 1-1-1zm0 9.5a1.5 1.5 0 0 1 1.5-1.5h8M5.5 5.5H10',
  replays: 'M3 8a5 5 0 1 0 1.6-3.7M3 2.5v3h3',
  keys: 'M9.5 6.5a3 3 0 1 0-2.2 2.9L8.5 10.5H10V12h1.5v1.5h2v-2L9.4 7.4a3 3 0 0 0 .1-.9zM5.8 5.8h.01',
  team: 'M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5zM1.75 13c.3-2.2 2-3.5 4.25-3.5s3.95 1.3 4.25 3.5M10.5 3.3a2.25 2.25 0 0 1 0 4M12 9.8c1.3.5 2.1 1.6 2.25 3.2',
  subscribers: 'M8 7.5A2.5 2.5 0 1 0 8 2.5a2.5 2.5 0 0 0 0 5zM3 13.5c.3-2.5 2.4-4 5-4s4.7 1.5 5 4',
  tickets: 'M2 5.5h12v2a1.2 1.2 0 0 0 0 2.5v1.5H2V10a1.2 1.2 0 0 0 0-2.5zM9.5 5.5v6',
  metrics: 'M2.5 13.5h11M4 11V8m4 3V4m4 7V6.5',
  cohorts:
    'M6.25 10.5a3.75 3.75 0 1 0 0-7.5 3.75 3.75 0 0 0 0 7.5zM9.75 13a3.75 3.75 0 1 0 0-7.5 3.75 3.75 0 0 0 0 7.5z',
  motions: 'M8.5 1.75 3.5 9h4l-.5 5.25L12.5 7h-4z',
  operator: 'M2.5 3.5h11v3.5h-11zm0 5.5h11v3.5h-11zM5 5.25h.01M5 10.75h.01',
  tenants: 'M3 13.5v-11h6v11m0-7h4v7M5.25 5h1.5m-1.5 3h1.5m-1.5 3h1.5',
  jobs: 'M8 4.5V8l2.5 1.5M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11z',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zm3.3-1.2 3.2 3.2',
  menu: 'M2.5 4.5h11m-11 3.5h11m-11 3.5h11',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  code: 'M5.5 4.5 2 8l3.5 3.5m5-7L14 8l-3.5 3.5',
  ok: 'm3.5 8.5 3 3 6-7',
  bad: 'm4 4 8 8m0-8-8 8',
  warn: 'M8 5.5v3.5m0 2.25h.01M8 2 1.75 13h12.5z',
  wait: 'M8 4.5V8l2.25 1.25M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11z',
  pause: 'M5.5 4v8m5-8v8',
  dot: 'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  plus: 'M8 3v10M3 8h10',
  down: 'm4 6 4 4 4-4',
  external: 'M6.5 3.5h-3v9h9v-3M9 3h4v4m0-4L7.5 8.5',
} as const;
