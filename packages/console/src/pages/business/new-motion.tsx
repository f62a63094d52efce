import type { Cohort, CreateMotionBody } from '@subscription-event-service/sdk';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from '../../ui/address';
import { useLoaded } from '../../api/load';
import { readPlans } from '../../api/names';
import { readAllPages, service } from '../../api/service';
import { Card, Failure, Skeleton } from '../../ui/basics';
import { formatNumber } from '../../ui/format';
import { Checks, Form, SelectField, TextField } from '../../ui/form';
import { Page, createTenantPath } from '../../ui/page';
import { showToast } from '../../ui/toast';
import { EMPTY_OFFER, createOffer, OfferFields } from './motion-offer';

const KINDS: readonly (readonly [CreateMotionBody['kind'], string])[] = [
  ['cancel_save', 'Keep somebody who cancels'],
  ['payment_recovery', 'Recover a payment'],
  ['win_back', 'Win somebody back'],
  ['trial_conversion', 'Turn a trial into a subscription'],
  ['upsell', 'Sell a larger plan'],
  ['announcement', 'Announce something'],
];

const TRIGGERS: readonly (readonly [NonNullable<CreateMotionBody['trigger_mode']>, string])[] = [
  ['manual', 'Your backend or your support triggers it'],
  ['on_cohort_enter', 'It begins when a subscriber enters a cohort'],
];

interface Choices {
  readonly cohorts: readonly Cohort[];
  readonly plans: readonly (readonly [string, string])[];
}

/** The cohorts and plans to choose from, or what is shown while they are loaded. */
const useChoices = (): Choices & { readonly pending: JSX.Element | null } => {
  const { state, reload } = useLoaded<Choices>('choices', async (signal) => {
    const [cohorts, plans] = await Promise.all([
      readAllPages(service().cohorts.list({ limit: 100 }, { signal })),
      readPlans(signal),
    ]);
    return { cohorts, plans: plans.map(({ id, name }) => [id, name]) };
  });
  const pending =
    state.kind === 'failed' ? (
      <Failure error={state.error} retry={reload} />
    ) : state.kind === 'loading' ? (
      <Skeleton lines={8} />
    ) : null;
  return { ...(state.kind === 'ready' ? state.value : { cohorts: [], plans: [] }), pending };
};

/** A form for a new motion: its target, its trigger, its offer, and its holdout. */
export const NewMotion = (): JSX.Element => {
  const { cohorts, plans, pending } = useChoices();
  const [name, setName] = useState('');
  const [kind, setKind] = useState<CreateMotionBody['kind']>('cancel_save');
  const [trigger, setTrigger] = useState<'manual' | 'on_cohort_enter'>('manual');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [holdout, setHoldout] = useState('10');
  const [offer, setOffer] = useState(EMPTY_OFFER);
  const { route } = useLocation();
  const offered = createOffer(offer);
  const body = {
    name,
    kind,
    trigger_mode: trigger,
    holdout_percent: Number(holdout),
    ...(chosen.length === 0 ? {} : { cohort_ids: [...chosen] }),
    ...(offered == null ? {} : { offer: offered }),
  } as CreateMotionBody;
  const refusal =
    name.trim() === ''
      ? 'Give it a name.'
      : offered === undefined
        ? 'Complete the offer.'
        : trigger === 'on_cohort_enter' && chosen.length === 0
          ? 'Choose a cohort.'
          : null;
  const submit = async (): Promise<void> => {
    const motion = await service().motions.create(body);
    showToast('The motion is made. It does nothing until it is activated.');
    // Back leads to the list and not to an empty form.
    route(createTenantPath(`/motions/${motion.id}`), true);
  };
  return (
    <Page
      title="New motion"
      crumbs={[['Motions', createTenantPath('/motions')]]}
      about="It begins as a draft: nothing happens until somebody activates it."
      call={{
        method: 'POST',
        path: '/v1/motions',
        body,
        sdk: `const motion = await service.motions.create(${JSON.stringify(body, null, 2)});`,
      }}
    >
      {pending ?? (
        <div class="with-aside">
          <Card>
            <Form action="Create draft" onSubmit={submit} refusal={refusal}>
              <TextField
                label="Name"
                name="name"
                required
                maxLength={100}
                value={name}
                onValue={setName}
              />
              <SelectField label="What it is for" value={kind} onValue={setKind} options={KINDS} />
              <OfferFields draft={offer} plans={plans} onDraft={setOffer} />
              <SelectField
                label="When it begins"
                value={trigger}
                onValue={setTrigger}
                options={TRIGGERS}
              />
              <CohortChoice cohorts={cohorts} chosen={chosen} onChosen={setChosen} />
              <TextField
                label="Held out, in percent"
                name="holdout_percent"
                type="number"
                required
                value={holdout}
                onValue={setHoldout}
                hint="These subscribers are shown nothing. Without them nobody knows what the motion changed."
              />
            </Form>
          </Card>
          <aside aria-label="How many">
            <Reach cohorts={cohorts.filter(({ id }) => chosen.includes(id))} holdout={holdout} />
          </aside>
        </div>
      )}
    </Page>
  );
};

const CohortChoice = ({
  cohorts,
  chosen,
  onChosen,
}: {
  cohorts: readonly Cohort[];
  chosen: readonly string[];
  onChosen: (chosen: readonly string[]) => void;
}): JSX.Element => (
  <fieldset class="field plain">
    <legend class="label">For members of</legend>
    {cohorts.length === 0 ? (
      <span class="hint">
        There is no cohort yet: the motion is for every subscriber.{' '}
        <a href={createTenantPath('/cohorts/new')}>Make a cohort</a>
      </span>
    ) : (
      <Checks items={cohorts} chosen={chosen} onChosen={onChosen} />
    )}
    <span class="hint">None chosen: every subscriber.</span>
  </fieldset>
);

/** Counts the subscribers who would see the offer: the members of the chosen cohorts. */
const Reach = ({
  cohorts,
  holdout,
}: {
  cohorts: readonly Cohort[];
  holdout: string;
}): JSX.Element => {
  const members = cohorts.reduce((sum, { member_count: count }) => sum + count, 0);
  const heldOut = Math.round((members * Number(holdout)) / 100);
  return (
    <Card title="Whom it reaches now">
      {cohorts.length === 0 ? (
        <p class="muted">Every subscriber for whom it is triggered.</p>
      ) : (
        <dl class="stat" aria-live="polite">
          <dt>Members of the chosen cohorts</dt>
          <dd>{formatNumber(members)}</dd>
          <dd class="note">
            {formatNumber(heldOut)} of them held out. Somebody in two cohorts counts twice here.
          </dd>
        </dl>
      )}
    </Card>
  );
};
