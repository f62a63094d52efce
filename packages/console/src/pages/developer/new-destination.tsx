import type {
  PrivacyMode,
  RegisterDestinationBody,
  RegisteredDestination,
} from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLoaded } from '../../api/load';
import { firstPage, service } from '../../api/service';
import {
  Button,
  Card,
  Copyable,
  Json,
  LinkButton,
  Notice,
  Skeleton,
  useAction,
} from '../../ui/basics';
import { Form, RadioCard, TextField } from '../../ui/form';
import { Page, tenantPath } from '../../ui/page';
import { useQuery } from '../../ui/query';
import { EventTypePicker } from './event-type-picker';
import { eventInMode } from './event-modes';
import { PRIVACY_MODES } from './privacy-modes';
import { VerifySnippets } from './verify-snippets';

interface Draft {
  readonly type: 'https_webhook' | 'email_fallback';
  readonly target: string;
  readonly description: string;
  readonly eventTypes: readonly string[] | null;
  readonly mode: PrivacyMode;
}

const bodyOf = (draft: Draft): RegisterDestinationBody => ({
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

/** Adds a destination in three steps: where to, what, and the secret with the code that verifies. */
export const NewDestination = (): JSX.Element => {
  const { query, set } = useQuery();
  const [draft, setDraft] = useState<Draft>({
    type: 'https_webhook',
    target: '',
    description: '',
    eventTypes: null,
    mode: 'full',
  });
  const [created, setCreated] = useState<RegisteredDestination | null>(null);
  const step = created !== null ? 3 : query['step'] === '2' && draft.target !== '' ? 2 : 1;
  const create = async (): Promise<void> => {
    setCreated(await service().destinations.create(bodyOf(draft)));
  };
  return (
    <Page
      title="New destination"
      crumbs={[['Destinations', tenantPath('/destinations')]]}
      about={`Step ${step} of 3`}
      call={{
        method: 'POST',
        path: '/v1/destinations',
        body: bodyOf(draft),
        sdk: `const destination = await service.destinations.create(${JSON.stringify(bodyOf(draft), null, 2)});`,
      }}
    >
      {step === 1 ? (
        <StepOne
          draft={draft}
          onDraft={setDraft}
          onNext={() =>
            draft.type === 'email_fallback' ? create() : Promise.resolve(set({ step: '2' }))
          }
        />
      ) : null}
      {step === 2 ? (
        <StepTwo
          draft={draft}
          onDraft={setDraft}
          onBack={() => {
            set({ step: null });
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
  onNext,
}: {
  draft: Draft;
  onDraft: (draft: Draft) => void;
  onNext: () => Promise<void>;
}): JSX.Element => {
  const isWebhook = draft.type === 'https_webhook';
  return (
    <Card title="Where events go">
      <Form action={isWebhook ? 'Next' : 'Create'} onSubmit={onNext}>
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
          value={draft.description}
          maxLength={200}
          onValue={(description) => {
            onDraft({ ...draft, description });
          }}
          hint="A name that your team recognises. May be left empty."
        />
      </Form>
    </Card>
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
    <Example mode={draft.mode} />
  </div>
);

/** The latest event of this environment, as the receiver would see it. */
const Example = ({ mode }: { mode: PrivacyMode }): JSX.Element => {
  const { state } = useLoaded('example', (signal) =>
    firstPage(service().events.list({ limit: 1 }, { signal })),
  );
  const event = state.kind === 'ready' ? state.value.data[0] : undefined;
  return (
    <Card title="What the receiver sees">
      {state.kind === 'loading' ? <Skeleton lines={8} /> : null}
      {state.kind === 'ready' && event === undefined ? (
        <p class="muted">There is no event in this environment yet to show as an example.</p>
      ) : null}
      {event === undefined ? null : (
        <Json label={`An event in mode ${mode}`} value={eventInMode(event, mode)} />
      )}
    </Card>
  );
};

const StepThree = ({ destination }: { destination: RegisteredDestination }): JSX.Element => {
  const [outcome, setOutcome] = useState<string | null>(null);
  const test = useAction(async () => {
    const answer = await service().destinations.test(destination.id);
    setOutcome(
      answer.error === null
        ? `Your receiver answered ${answer.status_code ?? ''} in ${answer.duration_ms} ms.`
        : `Your receiver could not be reached: ${answer.error}.`,
    );
  });
  return (
    <>
      {destination.signing_secret === undefined ? null : (
        <Card title="Signing secret">
          <div class="stack">
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
            <LinkButton href={tenantPath(`/destinations/${destination.id}`)}>
              Open the destination
            </LinkButton>
          </div>
          <p aria-live="polite">{outcome}</p>
        </div>
      </Card>
    </>
  );
};
