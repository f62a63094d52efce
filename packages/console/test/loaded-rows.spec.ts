import { LoadedRows } from '../src/api/loaded-rows';

interface Row {
  readonly id: string;
  readonly text: string;
}

const row = (id: string, text = id): Row => ({ id, text });

describe('the loaded rows of a list', () => {
  let asked: number;
  let loaded: LoadedRows<Row>;
  const getId = ({ id }: Row): string => {
    asked += 1;
    return id;
  };
  const readIds = (): string => loaded.rows.map(({ id }) => id).join('');

  beforeEach(() => {
    asked = 0;
    loaded = new LoadedRows();
    loaded.append([row('a'), row('b')], getId);
  });

  it('grow by the rows that are new, at the end and at the beginning', () => {
    loaded.append([row('b'), row('c')], getId);
    expect(readIds()).toBe('abc');
    loaded.prepend([row('y'), row('z'), row('a')], getId);
    expect(readIds()).toBe('yzabc');
    expect(loaded.omitLoaded([row('z'), row('x')], getId)).toEqual([row('x')]);
  });

  it('are replaced in their places, also after others came above them', () => {
    loaded.prepend([row('z')], getId);
    const before = loaded.rows;
    expect(loaded.refresh([row('b', 'new'), row('unknown')], getId)).toEqual([
      ...[row('z'), row('a'), row('b', 'new')],
    ]);
    expect(loaded.rows).not.toBe(before);
  });

  it('are forgotten', () => {
    expect(loaded.clear()).toEqual([]);
    expect(loaded.append([row('a')], getId)).toEqual([row('a')]);
  });

  it('are not read again when a page is added or refreshed', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => row(`row ${index}`));
    loaded.append(many, getId);
    asked = 0;
    loaded.append([row('c')], getId);
    loaded.refresh([row('a', 'new')], getId);
    loaded.omitLoaded([row('d')], getId);
    expect(asked).toBeLessThan(10);
  });
});
