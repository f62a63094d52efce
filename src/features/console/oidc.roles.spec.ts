import { readRoles } from './oidc.roles';

const TENANTS = ['tnt_one', 'tnt_two'];

describe('the roles in a claim of the identity provider', () => {
  it('are read for each tenant that the claim names', () => {
    const { tenants, operator } = readRoles(['tnt_one:developer', 'tnt_two:viewer'], TENANTS);
    expect([...tenants]).toEqual([
      ['tnt_one', 'developer'],
      ['tnt_two', 'viewer'],
    ]);
    expect(operator).toBeNull();
  });

  it('may cover all tenants, where the stronger of two operator roles counts', () => {
    expect(readRoles(['operator', 'operator_viewer'], TENANTS).operator).toBe('operator');
    expect(readRoles('operator_viewer', TENANTS).operator).toBe('operator_viewer');
  });

  it('need no tenant id if there is one tenant, and are ignored if there are several', () => {
    expect([...readRoles('support', ['tnt_one']).tenants]).toEqual([['tnt_one', 'support']]);
    expect(readRoles('support', TENANTS).tenants.size).toBe(0);
  });

  it('are empty if the claim contains no known role or tenant', () => {
    for (const claim of [undefined, null, 7, {}, ['staff', 'tnt_three:owner', 'tnt_one:god']]) {
      expect(readRoles(claim, TENANTS)).toEqual({ operator: null, tenants: new Map() });
    }
  });
});
