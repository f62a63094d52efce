import type { PrivacyMode } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { PRIVACY_MODES } from './privacy-modes';

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
