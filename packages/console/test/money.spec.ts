import fc from 'fast-check';
import { createExample, formatMajorUnits, parseMoney } from '../src/ui/money';

const CURRENCIES = ['USD', 'EUR', 'JPY', 'KWD'];

describe('an amount in an input field', () => {
  it('is read in the minor units of its currency', () => {
    expect(parseMoney('12.50', 'USD')).toBe(1250);
    expect(parseMoney(' 12,5 ', 'EUR')).toBe(1250);
    expect(parseMoney('12', 'JPY')).toBe(12);
    expect(parseMoney('1.234', 'KWD')).toBe(1234);
  });

  it('has an example that the currency allows', () => {
    expect(CURRENCIES.map(createExample)).toEqual(['5.00', '5.00', '5', '5.000']);
    for (const currency of CURRENCIES)
      expect(parseMoney(createExample(currency), currency)).not.toBeNull();
  });

  it('is refused if it has more digits than the currency, or is no amount', () => {
    expect(parseMoney('12.505', 'USD')).toBeNull();
    expect(parseMoney('12.5', 'JPY')).toBeNull();
    for (const text of ['', '-1', '1e3', '1.', '.5', '1,000.00', '0x10', '12 USD', '9'.repeat(13)])
      expect(parseMoney(text, 'USD')).toBeNull();
  });

  it('is the same after formatting and reading it', () => {
    const amounts = fc.nat({ max: 999_999_999_999 });
    fc.assert(
      fc.property(amounts, fc.constantFrom(...CURRENCIES), (amount, currency) => {
        expect(parseMoney(formatMajorUnits(amount, currency), currency)).toBe(amount);
      }),
    );
  });
});
