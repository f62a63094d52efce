import type {
  DestinationTest,
  PrivacyMode,
  RegisterDestinationBody,
  RegisteredDestination,
} from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { readFieldErrors, useLoaded } from '../../api/load';
import { readFirstPage, service } from '../../api/service';
import { place } from '../../api/session';
import {
  Button,
  Card,
  Copyable,
  LinkButton,
  Notice,
  useAction,
  LoadedValue,
} from '../../ui/basics';
import { Form, RadioCard, TextField } from '../../ui/form';
import { Page, createTenantPath } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { EventTypePicker } from './event-type-picker';
import { EventInMode } from './event-in-mode';
import { PRIVACY_MODES } from './privacy-modes';
import { ReceiverAnswer } from './receiver-answer';
import { VerifySnippets } from './verify-snippets';

interface Draft {
  readonly type: 'https_webhook' | 'email_fallback';
  readonly target: string;
  readonly description: string;
  readonly eventTypes: readonly string[] | null;
  readonly mode: PrivacyMode;
}

/** The API fields of the first step. */
const FIRST_STEP = ['url', 'email', 'description'];

const createBody = (draft: Draft): RegisterDestinationBody => ({
  type: draft.type,
  ...(draft.description === '' ? {} : { description: draft.description }),
  ...(draft.type === 'email_fallback'
    ? { email: draft.target }
    : {
        url: draft.target,
        pii_mode: draft.mode,
        ...(draft.eventTypes === null ? {} : { event_types: [...draft.eventTypes] }),
      }),
});

/**
 * Refuses a URL that the service never accepts in this environment, in the words of the service. The
 * service checks everything else.
 */
const checkScheme = (url: string): void => {
  const isTest = place.value?.environment === 'test';
  if ((isTest ? /^https?:/i : /^https:/i).test(url)) return;
  throw Object.assign(new Error('url must start with https://.'), { param: 'url' });
};

/**
 * Creates a destination in three steps: its address, its events, and the secret with code that
 * verifies.
 */
export const NewDestination = (): JSX.Element => {
  const { query, push, set } = useQuery();
  const [draft, setDraft] = useState<Draft>({
    type: 'https_webhook',
    target: '',
    description: '',
    eventTypes: null,
    mode: 'full',
  });
  const [created, setCreated] = useState<RegisteredDestination | null>(null);
  // After a reload the form is empty, so it begins with the first step, whatever the address says.
  const [isFirstDone, setFirstDone] = useState(false);
  const step = created !== null ? 3 : query['step'] === '2' && isFirstDone ? 2 : 1;
  useEffect(() => {
    // The form is empty after a reload. Back after the last step leads past the form.
    if (query['step'] !== undefined && step === 1) set({ step: null });
    else if (created !== null && query['step'] !== '3') history.back();
  }, [query]);
  const [refusal, setRefusal] = useState<unknown>(null);
  const create = async (): Promise<void> => {
    try {
      const destination = await service().destinations.create(createBody(draft));
      set({ step: '3' });
      setCreated(destination);
    } catch (error) {
      if (step === 1 || !FIRST_STEP.some((param) => readFieldErrors(error).has(param))) throw error;
      // The wrong field is in the first step, so that step is shown.
      setRefusal(error);
      history.back();
    }
  };
  return (
    <Page
      title="New destination"
      crumbs={[['Destinations', createTenantPath('/destinations')]]}
      about={`Step ${step} of 3`}
      call={{
        method: 'POST',
        path: '/v1/destinations',
        body: createBody(draft),
        sdk: `const destination = await service.destinations.create(${JSON.stringify(createBody(draft), null, 2)});`,
      }}
    >
      {step === 1 ? (
        <StepOne
          draft={draft}
          onDraft={setDraft}
          refusal={refusal}
          onNext={async () => {
            setRefusal(null);
            if (draft.type === 'email_fallback') {
              await create();
              return;
            }
            checkScheme(draft.target);
            setFirstDone(true);
            push({ step: '2' });
          }}
        />
      ) : null}
      {step === 2 ? (
        <StepTwo
          draft={draft}
          onDraft={setDraft}
          onBack={() => {
            history.back();
          }}
          onCreate={create}
        />
      ) : null}
      {created === null ? null : <StepThree destination={created} />}
    </Page>
  );
};

const StepOne = ({
  draft,
  onDraft,
  refusal,
  onNext,
}: {
  draft: Draft;
  onDraft: (draft: Draft) => void;
  /** The error about a field of this step; null if there is none. */
  refusal: unknown;
  onNext: () => Promise<void>;
}): JSX.Element => {
  const isWebhook = draft.type === 'https_webhook';
  return (
    <div class="narrow">
      <Card title="Where events go">
        <Form action={isWebhook ? 'Next' : 'Create'} onSubmit={onNext} failure={refusal}>
          <div class="grid-2" role="radiogroup" aria-label="Kind of destination">
            {(
              [
                ['https_webhook', 'Webhook', 'A signed POST to your server, for every event.'],
                [
                  'email_fallback',
                  'Mailbox',
                  'Each submitted ticket as a mail to your support address.',
                ],
              ] as const
            ).map(([type, title, about]) => (
              <RadioCard
                name="type"
                title={title}
                about={about}
                checked={draft.type === type}
                onChosen={() => {
                  onDraft({ ...draft, type });
                }}
              />
            ))}
          </div>
          <TextField
            label={isWebhook ? 'URL' : 'Mailbox'}
            name={isWebhook ? 'url' : 'email'}
            type={isWebhook ? 'url' : 'email'}
            placeholder={isWebhook ? 'https://example.com/webhooks' : 'support@example.com'}
            required
            value={draft.target}
            onValue={(target) => {
              onDraft({ ...draft, target });
            }}
            hint={isWebhook ? 'HTTPS only. Private addresses are refused.' : undefined}
          />
          <TextField
            label="Description"
            name="description"
            value={draft.description}
            maxLength={200}
            onValue={(description) => {
              onDraft({ ...draft, description });
            }}
            hint="A name that your team recognises. May be left empty."
          />
        </Form>
      </Card>
    </div>
  );
};

const StepTwo = ({
  draft,
  onDraft,
  onBack,
  onCreate,
}: {
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onBack: () => void;
  onCreate: () => Promise<void>;
}): JSX.Element => (
  <div class="grid-2">
    <Card title="What is sent">
      <Form
        action="Create"
        onSubmit={onCreate}
        onCancel={onBack}
        cancel="Back"
        refusal={draft.eventTypes?.length === 0 ? 'Choose an event type.' : null}
      >
        <EventTypePicker
          chosen={draft.eventTypes}
          onChosen={(eventTypes) => {
            onDraft({ ...draft, eventTypes });
          }}
        />
        <div class="stack" role="radiogroup" aria-label="Privacy mode">
          {PRIVACY_MODES.map(({ mode, title, about }) => (
            <RadioCard
              name="mode"
              title={title}
              about={about}
              checked={draft.mode === mode}
              onChosen={() => {
                onDraft({ ...draft, mode });
              }}
            />
          ))}
        </div>
      </Form>
    </Card>
    <Example mode={draft.mode} eventTypes={draft.eventTypes} />
  </div>
);

/** Shows the latest event that the destination would get, as its receiver would see it. */
const Example = ({
  mode,
  eventTypes,
}: {
  mode: PrivacyMode;
  eventTypes: readonly string[] | null;
}): JSX.Element => {
  const asked =
    eventTypes === null || eventTypes.length === 0 ? {} : { event_types: [...eventTypes] };
  const { state, reload } = useLoaded(`example/${JSON.stringify(asked)}`, (signal) =>
    readFirstPage(service().events.list({ ...asked, limit: 1 }, { signal })),
  );
  return (
    <Card title="What the receiver sees">
      <LoadedValue state={state} retry={reload} lines={8}>
        {({ data: [event] }) =>
          event === undefined ? (
            <p class="muted">No such event has happened in this environment yet.</p>
          ) : (
            <EventInMode event={event} mode={mode} />
          )
        }
      </LoadedValue>
    </Card>
  );
};

const StepThree = ({ destination }: { destination: RegisteredDestination }): JSX.Element => {
  const [answer, setAnswer] = useState<DestinationTest | null>(null);
  const test = useAction(async () => {
    setAnswer(null);
    setAnswer(await service().destinations.test(destination.id));
  });
  return (
    <div class="narrow stack wide">
      {destination.signing_secret === undefined ? null : (
        <Card title="Signing secret">
          <div class="stack" data-secret="">
            <Notice tone="warn">
              This secret is shown once. Store it where your receiver finds it.
            </Notice>
            <Copyable text={destination.signing_secret} label="the signing secret" />
            <VerifySnippets />
          </div>
        </Card>
      )}
      <Card title="Try it">
        <div class="stack">
          <div class="row">
            <Button kind="primary" onClick={test.run} refusal={test.isRunning ? 'Sending …' : null}>
              Send test now
            </Button>
            <LinkButton href={createTenantPath(`/destinations/${destination.id}`)}>
              Open the destination
            </LinkButton>
          </div>
          <div aria-live="polite">
            {answer === null ? null : <ReceiverAnswer answer={answer} />}
          </div>
        </div>
      </Card>
    </div>
  );
};
