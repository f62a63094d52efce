import { noon, scenario } from '../../../test/support/given';
import type { Instant } from '../../kernel/time';
import {
  createToken,
  expireToken,
  operatorTokenAggregate,
  revokeToken,
} from './operator-token.decider';
import type { OperatorTokenFact } from './operator-token.events';

const evening = '2026-03-10T20:00:00.000Z' as Instant;
const created: OperatorTokenFact = {
  type: 'operator_token.created',
  data: { id: 'opt_1', name: 'ada', secret_sha256: 'digest', last4: 'wxyz', expires_at: noon },
};
const draft = {
  id: 'opt_1',
  name: 'ada',
  secretSha256: 'digest',
  last4: 'wxyz',
  expiresAt: noon,
};

const { given } = scenario(operatorTokenAggregate);

describe('an operator token', () => {
  it('is created once', () => {
    given().when(createToken(draft)).then([created]);
    given(created).when(createToken(draft)).then([]);
  });

  it('does not last longer after a rotation', () => {
    given(created).when(expireToken(evening)).then([]);
  });

  it('is revoked once', () => {
    const revoked: OperatorTokenFact = {
      type: 'operator_token.revoked',
      data: { revoked_at: evening },
    };
    given(created).when(revokeToken(evening)).then([revoked]);
    given(created, revoked).when(revokeToken(evening)).then([]);
  });
});
