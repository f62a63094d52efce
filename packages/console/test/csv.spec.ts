import { createCsv } from '../src/ui/csv';

describe('a CSV file', () => {
  it('has quoted cells, and a line break after each line', () => {
    expect(
      createCsv([
        ['id', 'name'],
        ['1', 'Ada "the first", countess'],
      ]),
    ).toBe('"id","name"\r\n"1","Ada ""the first"", countess"\r\n');
  });

  it('has no cell that a spreadsheet would run as a formula', () => {
    for (const formula of ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1'])
      expect(createCsv([[formula]])).toBe(`"'${formula}"\r\n`);
  });

  it('keeps negative numbers as numbers', () => {
    expect(createCsv([['-12.5', '+3']])).toBe('"-12.5","+3"\r\n');
  });
});
