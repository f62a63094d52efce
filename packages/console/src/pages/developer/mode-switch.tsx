import type { PrivacyMode } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useQuery } from '../../ui/query';
import { PRIVACY_MODES } from './privacy-modes';

/** The privacy mode that the address contains, and a function that changes it. */
export const useMode = (): {
  readonly mode: PrivacyMode;
  readonly setMode: (mode: PrivacyMode) => void;
} => {
  const { query, set } = useQuery();
  return {
    mode: PRIVACY_MODES.find(({ mode }) => mode === query['mode'])?.mode ?? 'full',
    setMode: (mode) => {
      set({ mode: mode === 'full' ? null : mode });
    },
  };
};

/** Chooses the privacy mode in which an event is shown. */
export const ModeSwitch = ({
  mode,
  onMode,
}: {
  mode: PrivacyMode;
  onMode: (mode: PrivacyMode) => void;
}): JSX.Element => (
  <div class="switch" role="group" aria-label="Privacy mode">
    {PRIVACY_MODES.map((each) => (
      <button
        type="button"
        aria-pressed={each.mode === mode}
        onClick={() => {
          onMode(each.mode);
        }}
      >
        {each.title}
      </button>
    ))}
  </div>
);
