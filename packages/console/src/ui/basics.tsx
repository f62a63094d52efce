import type { ButtonHTMLAttributes, ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { describeError, type Loaded, readStatus } from '../api/load';
import { formatMoney, formatRelative, formatTime, formatUtc } from './format';
import { Icon, type IconName } from './icons';
import { showToast } from './toast';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'idle';

const TONES: Readonly<Record<string, readonly [Tone, IconName]>> = {
  active: ['ok', 'ok'],
  delivered: ['ok', 'ok'],
  succeeded: ['ok', 'ok'],
  completed: ['ok', 'ok'],
  accepted: ['ok', 'ok'],
  applied: ['ok', 'ok'],
  resolved: ['ok', 'ok'],
  ok: ['ok', 'ok'],
  ready: ['ok', 'ok'],
  trialing: ['info', 'wait'],
  queued: ['info', 'wait'],
  in_progress: ['info', 'wait'],
  pending: ['info', 'wait'],
  triggered: ['info', 'wait'],
  presented: ['info', 'wait'],
  open: ['info', 'dot'],
  invited: ['info', 'wait'],
  paused: ['warn', 'pause'],
  past_due: ['warn', 'warn'],
  completed_with_errors: ['warn', 'warn'],
  high: ['warn', 'warn'],
  failing: ['bad', 'warn'],
  failed: ['bad', 'bad'],
  disabled: ['bad', 'bad'],
  lapsed: ['bad', 'bad'],
  revoked: ['bad', 'bad'],
};

/** A status as an icon, a word and a colour. The word alone is sufficient. */
export const Status = ({ value, tone }: { value: string; tone?: Tone }): JSX.Element => {
  const [defaultTone, icon] = TONES[value] ?? ['idle', 'dot'];
  return (
    <span class={`badge ${tone ?? defaultTone}`}>
      <Icon name={icon} size={12} />
      {value.replaceAll('_', ' ')}
    </span>
  );
};

/** A time, local and relative. The tooltip shows the exact time in UTC. */
export const Time = ({
  at,
  exact = false,
  show = (iso) => formatRelative(iso, Date.now()),
  none = '–',
}: {
  at: string | null | undefined;
  exact?: boolean;
  /** Formats the time in another way. */
  show?: (iso: string) => string;
  /** The text without a time. */
  none?: string;
}): JSX.Element =>
  at === null || at === undefined ? (
    <span class="muted">{none}</span>
  ) : (
    <time dateTime={at} title={`${formatTime(at)} · ${formatUtc(at)}`}>
      {exact ? formatTime(at) : show(at)}
    </time>
  );

export const Money = ({ amount, currency }: { amount: number; currency: string }): JSX.Element => (
  <span class="num">{formatMoney(amount, currency)}</span>
);

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  kind?: 'primary' | 'quiet' | 'quiet account' | 'danger' | 'danger primary' | undefined;
  small?: boolean | undefined;
  icon?: IconName;
  /** The reason why the button is disabled. It is shown as a tooltip and read aloud. */
  refusal?: string | null | undefined;
};

export const Button = ({
  kind,
  small,
  icon,
  refusal,
  children,
  ...rest
}: ButtonProps): JSX.Element => (
  <button
    type="button"
    {...rest}
    {...(refusal === null || refusal === undefined ? {} : { disabled: true, title: refusal })}
    class={`button ${kind ?? ''} ${small === true ? 'small' : ''}`}
  >
    {icon === undefined ? null : <Icon name={icon} size={14} />}
    {children}
  </button>
);

export const LinkButton = ({
  href,
  primary,
  icon,
  children,
}: {
  href: string;
  primary?: boolean;
  icon?: IconName;
  children: ComponentChildren;
}): JSX.Element => (
  <a href={href} class={`button ${primary === true ? 'primary' : ''}`}>
    {icon === undefined ? null : <Icon name={icon} size={14} />}
    {children}
  </a>
);

/** A text that a click copies, such as an id, a secret or a command. */
export const Copyable = ({ text, label }: { text: string; label?: string }): JSX.Element => (
  <span class="row copyable">
    <code
      // An id may be shortened, because the tooltip contains all of it. A secret is shown
      // completely.
      title={label === undefined ? text : undefined}
    >
      {text}
    </code>
    <button
      type="button"
      class="button quiet small"
      aria-label={`Copy ${label ?? text}`}
      onClick={({ currentTarget }) => {
        void navigator.clipboard.writeText(text).then(() => {
          // The page may be left without losing a secret.
          currentTarget.closest('[data-secret]')?.removeAttribute('data-secret');
          showToast('Copied.');
        });
      }}
    >
      <Icon name="copy" size={12} />
    </button>
  </span>
);

export const Code = ({ text, label }: { text: string; label: string }): JSX.Element => (
  <div class="code">
    <pre tabIndex={0} aria-label={label}>
      {text}
    </pre>
    <Button
      kind="quiet"
      small
      icon="copy"
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          showToast('Copied.');
        });
      }}
    >
      Copy
    </Button>
  </div>
);

/** A long e-mail address or event type, which breaks into lines between its parts only. */
export const Breakable = ({ text }: { text: string }): JSX.Element => (
  <>
    {text.split(/(?<=[@._])/).map((part) => (
      <>
        {part}
        <wbr />
      </>
    ))}
  </>
);

/** Shows a text in which names between backticks become code. */
export const Prose = ({ text }: { text: string }): JSX.Element => (
  <>{text.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}</>
);

export const Json = ({ value, label }: { value: unknown; label: string }): JSX.Element => (
  <Code text={JSON.stringify(value, null, 2)} label={label} />
);

export const Card = ({
  title,
  actions,
  flush,
  children,
}: {
  title?: ComponentChildren;
  actions?: ComponentChildren;
  /** Without inner space, for tables. */
  flush?: boolean;
  children: ComponentChildren;
}): JSX.Element => (
  <section class={flush === true ? 'card flush' : 'card'}>
    {title === undefined ? null : (
      <header>
        <h2>{title}</h2>
        <div class="row">{actions}</div>
      </header>
    )}
    {children}
  </section>
);

export const Stat = ({
  label,
  value,
  note,
  children,
}: {
  label: ComponentChildren;
  value: ComponentChildren;
  note?: ComponentChildren;
  children?: ComponentChildren;
}): JSX.Element => (
  <div class="card">
    <dl class="stat">
      <dt>{label}</dt>
      <dd>{value}</dd>
      {note === undefined ? null : <dd class="note">{note}</dd>}
    </dl>
    {children}
  </div>
);

/** Shows an exact time in a list of facts; nothing for a missing time. */
export const showExactTime = (at: string | null | undefined): JSX.Element | null =>
  at === null || at === undefined ? null : <Time at={at} exact />;

/** A list of names and values. Names without a value are left out. */
export const Facts = ({
  items,
}: {
  items: readonly (readonly [string, ComponentChildren])[];
}): JSX.Element => (
  <dl class="facts">
    {items.map(([name, value]) =>
      value === null || value === undefined ? null : (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ),
    )}
  </dl>
);

/** Shown instead of an empty list: the reason, and the next step. */
export const Empty = ({
  title,
  children,
  action,
  isGood = false,
}: {
  title: string;
  children: ComponentChildren;
  action?: ComponentChildren;
  /** True if an empty list is good news, such as no failures. There is no next step then. */
  isGood?: boolean;
}): JSX.Element => (
  <div class="empty" data-good={isGood}>
    <h2>{title}</h2>
    <p>{children}</p>
    {action}
  </div>
);

export const Skeleton = ({ lines = 3 }: { lines?: number }): JSX.Element => (
  <div class="stack" role="status" aria-busy="true" aria-label="Loading">
    {Array.from({ length: lines }, (_, index) => (
      <span class="skeleton" style={`width:${92 - ((index * 17) % 45)}%`} />
    ))}
  </div>
);

interface WaitingProps<T> {
  readonly state: Loaded<T>;
  readonly retry?: () => void;
  readonly lines?: number;
}

/** Shows a placeholder while a value is loading, or the error; nothing after that. */
export const Waiting = <T,>({ state, retry, lines = 4 }: WaitingProps<T>): JSX.Element | null =>
  state.kind === 'ready' ? null : (
    <div class="waiting">
      {state.kind === 'loading' ? (
        <Skeleton lines={lines} />
      ) : (
        <Failure error={state.error} {...(retry === undefined ? {} : { retry })} />
      )}
    </div>
  );

/** Shows the loaded value, a placeholder while it is loading, or the error. */
export const LoadedValue = <T,>({
  children,
  ...props
}: WaitingProps<T> & { children: (value: T) => ComponentChildren }): JSX.Element =>
  props.state.kind === 'ready' ? <>{children(props.state.value)}</> : <Waiting {...props} />;

/** An error in words, with a button to try again. */
export const Failure = ({ error, retry }: { error: unknown; retry?: () => void }): JSX.Element => {
  const status = readStatus(error);
  const requestId = readRequestId(error);
  return (
    <div class="empty" role="alert">
      <h2>{describeStatus(status)}</h2>
      <p>{describeError(error)}</p>
      {requestId === null ? null : (
        <p class="small muted">
          Request <code>{requestId}</code>
        </p>
      )}
      {retry === undefined || isFinal(status) ? null : <Button onClick={retry}>Try again</Button>}
    </div>
  );
};

/** True if repeating the call cannot succeed. */
const isFinal = (status: number): boolean => [400, 403, 404, 422].includes(status);

const describeStatus = (status: number): string => {
  if (status === 400 || status === 422) return 'The service refused this';
  if (status === 403) return 'Your role does not allow this';
  if (status === 404) return 'Not found';
  if (status === 429) return 'Too many requests';
  if (status === 0) return 'No response from the service';
  return 'This did not work';
};

const readRequestId = (error: unknown): string | null => {
  if (typeof error !== 'object' || error === null) return null;
  if ('requestId' in error && typeof error.requestId === 'string') return error.requestId;
  if ('body' in error && typeof error.body === 'object' && error.body !== null) {
    return 'request_id' in error.body ? String(error.body.request_id) || null : null;
  }
  return null;
};

export const Notice = ({
  tone = 'info',
  children,
}: {
  tone?: 'info' | 'ok' | 'warn' | 'bad';
  children: ComponentChildren;
}): JSX.Element => (
  <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'note'}>
    <Icon name={tone === 'ok' ? 'ok' : tone === 'info' ? 'dot' : 'warn'} />
    <div>{children}</div>
  </div>
);

/** Runs an action, one call at a time, and shows an error as a toast. */
export const useAction = (
  action: () => Promise<void>,
): { readonly run: () => void; readonly isRunning: boolean } => {
  const [isRunning, setRunning] = useState(false);
  const busy = useRef(false);
  const run = (): void => {
    if (busy.current) return;
    busy.current = true;
    setRunning(true);
    action()
      .catch((error: unknown) => {
        showToast(describeError(error));
      })
      .finally(() => {
        busy.current = false;
        setRunning(false);
      });
  };
  return { run, isRunning };
};
