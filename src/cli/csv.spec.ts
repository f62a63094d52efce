import { formatCsvCell } from './csv';

describe('a cell of a CSV file', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '=cmd|"/c calc"!A1'])(
    'is not run as a formula by a spreadsheet: %j',
    (text) => {
      const written = formatCsvCell(text);
      const read = written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
      expect(read).toBe(`'${text}`);
    },
  );

  it.each([
    ['ada', 'ada'],
    ['a=b', 'a=b'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    [-5, '-5'],
    [true, 'true'],
    [null, ''],
    [['a'], '"[""a""]"'],
  ])('represents the value %j as %j', (value, written) => {
    expect(formatCsvCell(value)).toBe(written);
  });
});
