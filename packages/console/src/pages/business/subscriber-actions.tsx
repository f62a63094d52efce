import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from '../../ui/address';
import { service } from '../../api/service';
import { may } from '../../api/session';
import { describeError } from '../../api/load';
import { Confirm } from '../../ui/dialog';
import { Menu } from '../../ui/menu';
import { createTenantPath } from '../../ui/page';
import { showToast } from '../../ui/toast';
import { ChangePlanDialog } from './change-plan';
import { CancelDialog, CreditDialog, PauseDialog, TriggerMotionDialog } from './action-dialogs';
import { isResumedForMoney, RestartDialog } from './restart';
import type { SubscriberCard } from './subscriber-card';

type ActionName = 'pause' | 'cancel' | 'plan' | 'restart' | 'credit' | 'motion' | 'erase';

/** The actions for a subscriber. Only actions that the role and the state allow are shown. */
export const SubscriberActions = ({
  card,
  onDone,
}: {
  card: SubscriberCard;
  onDone: () => void;
}): JSX.Element | null => {
  const [open, setOpen] = useState<ActionName | null>(null);
  const { subscriber, subscriptions } = card;
  const subscription = subscriptions.find(({ id }) => id === subscriber.subscription?.id);
  if (subscriber.erased_at !== null) return null;
  const done = (text: string): void => {
    setOpen(null);
    showToast(text);
    onDone();
  };
  const close = (): void => {
    setOpen(null);
  };
  const status = subscription?.status;
  const isRunning = status === 'active' || status === 'trialing';
  const isForMoney = subscription !== undefined && isResumedForMoney(subscription);
  const mayChange = may('subscriptions.pause') && subscription !== undefined;
  const run = (text: string, action: () => Promise<unknown>) => (): void => {
    action().then(
      () => {
        done(text);
      },
      (error: unknown) => {
        showToast(describeError(error));
      },
    );
  };
  const items: readonly (readonly [boolean, string, () => void])[] = [
    [mayChange && isRunning, 'Pause …', () => setOpen('pause')],
    [
      mayChange && (status === 'paused' || subscription.pauses_at !== null) && !isForMoney,
      'Resume',
      run('The subscription is resumed.', () =>
        service().subscriptions.resume(subscription?.id ?? '', {}),
      ),
    ],
    [mayChange && isForMoney, 'Resume …', () => setOpen('restart')],
    [mayChange && isRunning, 'Change plan …', () => setOpen('plan')],
    [mayChange && (isRunning || status === 'paused'), 'Cancel …', () => setOpen('cancel')],
    [
      mayChange && subscription.cancel_at !== null,
      'Keep (undo the cancellation)',
      run('The cancellation is taken back.', () =>
        service().subscriptions.uncancel(subscription?.id ?? ''),
      ),
    ],
    [
      mayChange && (status === 'cancelled' || status === 'lapsed'),
      'Reactivate …',
      () => setOpen('restart'),
    ],
    [may('credits.grant'), 'Grant a credit …', () => setOpen('credit')],
    [may('motions.trigger'), 'Trigger a motion …', () => setOpen('motion')],
    [may('subscribers.erase'), 'Erase …', () => setOpen('erase')],
  ];
  const offered = items.filter(([isOffered]) => isOffered);
  if (offered.length === 0) return null;
  return (
    <>
      <Menu opener={{ kind: 'primary', children: 'Actions' }} width={240}>
        {offered.map(([, title, act]) => (
          <button type="button" onClick={act}>
            {title}
          </button>
        ))}
      </Menu>
      {subscription === undefined ? null : (
        <>
          {open === 'pause' ? (
            <PauseDialog subscription={subscription} onClose={close} onDone={done} />
          ) : null}
          {open === 'cancel' ? (
            <CancelDialog subscription={subscription} onClose={close} onDone={done} />
          ) : null}
          {open === 'plan' ? (
            <ChangePlanDialog subscription={subscription} onClose={close} onDone={done} />
          ) : null}
          {open === 'restart' ? (
            <RestartDialog subscription={subscription} onClose={close} onDone={done} />
          ) : null}
        </>
      )}
      {open === 'credit' ? (
        <CreditDialog subscriber={subscriber} onClose={close} onDone={done} />
      ) : null}
      {open === 'motion' ? (
        <TriggerMotionDialog subscriber={subscriber} onClose={close} onDone={done} />
      ) : null}
      <EraseDialog
        subscriberId={subscriber.id}
        typeToConfirm={subscriber.email ?? subscriber.id}
        open={open === 'erase'}
        onClose={close}
      />
    </>
  );
};

const EraseDialog = ({
  subscriberId,
  typeToConfirm,
  open,
  onClose,
}: {
  subscriberId: string;
  typeToConfirm: string;
  open: boolean;
  onClose: () => void;
}): JSX.Element => {
  const { route } = useLocation();
  return (
    <Confirm
      title="Erase this subscriber"
      open={open}
      onClose={onClose}
      typeToConfirm={typeToConfirm}
      action="Erase for good"
      onConfirm={async () => {
        await service().subscribers.erase(subscriberId);
        showToast('The subscriber is erased.');
        route(createTenantPath('/subscribers'));
      }}
    >
      <p>
        Running subscriptions are cancelled, and the person is forgotten everywhere: in past events,
        in replays, in every list. Amounts, dates and states stay. Nobody can undo this.
      </p>
    </Confirm>
  );
};
