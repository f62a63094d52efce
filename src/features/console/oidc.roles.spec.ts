import { readRoles } from './oidc.roles';

const TENANTS = ['tnt_one', 'tnt_two'];

describe('the roles of a claim', () => {
  it('are those of named tenants', () => {
    const { tenants, operator } = readRoles(['tnt_one:developer', 'tnt_two:viewer'], TENANTS);
    expect([...tenants]).toEqual([
      ['tnt_one', 'developer'],
      ['tnt_two', 'viewer'],
    ]);
    expect(operator).toBeNull();
  });

  it('may be over all tenants, and the greater one counts', () => {
    expect(readRoles(['operator', 'operator_viewer'], TENANTS).operator).toBe('operator');
    expect(readRoles('operator_viewer', TENANTS).operator).toBe('operator_viewer');
  });

  it('may be alone where there is one tenant, and give nothing where there are several', () => {
    expect([...readRoles('support', ['tnt_one']).tenants]).toEqual([['tnt_one', 'support']]);
    expect(readRoles('support', TENANTS).tenants.size).toBe(0);
  });

  it('are nothing where the claim names something else', () => {
    for (const claim of [undefined, null, 7, {}, ['staff', 'tnt_three:owner', 'tnt_one:god']]) {
      expect(readRoles(claim, TENANTS)).toEqual({ operator: null, tenants: new Map() });
    }
  });
});
