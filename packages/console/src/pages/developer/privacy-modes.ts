/** The privacy modes, in words. */
export const PRIVACY_MODES = [
  {
    mode: 'full',
    title: 'Full',
    about: 'The e-mail address and every text, as they are.',
  },
  {
    mode: 'hashed_only',
    title: 'Hashed only',
    about: 'No address, only its hash. Free text is left out; ids, states and amounts stay.',
  },
  {
    mode: 'minimal',
    title: 'Minimal',
    about: 'Event id, type, time, subscriber id and subscription id. Nothing else.',
  },
] as const;
