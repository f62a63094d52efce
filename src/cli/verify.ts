import type { Command } from 'commander';
import { parseNumber } from './arguments';
import { CallFailed } from './failures';
import { type Caller, findOperator } from './operator';
import { printLine } from './output';
import { followRebuild } from './rebuild';

interface Difference {
  readonly projection: string;
  readonly table: string;
  readonly key: Readonly<Record<string, unknown>>;
  readonly columns: readonly string[];
}

interface VerifyOptions {
  readonly sample: number;
  readonly whole?: true | string[];
}

export const addVerifyCommand = (program: Command): void => {
  program
    .command('projections')
    .description('the read models, which are built from the log')
    .command('verify')
    .option('--sample <subscribers>', 'how many subscribers to compare', parseNumber, 100)
    .option(
      '--whole [projections...]',
      'read the whole log instead, which also compares counts (metrics, cohort_members); all projections if none is named',
    )
    .description('compare the read models with the log; exit code 1 if rows differ')
    .action(async ({ sample, whole }: VerifyOptions, command: Command) => {
      const caller = findOperator(command);
      const differences =
        whole === undefined ? await compareSample(caller, sample) : await compareLog(caller, whole);
      if (!caller.asJson) for (const each of differences) printLine(formatLine(each));
      const { length } = differences;
      if (length === 0 && !caller.asJson) printLine('The read models agree with the log.');
      if (length > 0)
        throw new CallFailed(
          `${length} rows differ from the log. Run "rebuild" to build them again.`,
        );
    });
};

const compareSample = async ({ client, show }: Caller, sample: number): Promise<Difference[]> => {
  const found = await client.change('post', '/operator/v1/projections/verify', { sample });
  show(found, ['subscribers', 'events', 'rows']);
  return found['differences'] as Difference[];
};

const compareLog = async (caller: Caller, whole: true | string[]): Promise<Difference[]> => {
  const compared = await followRebuild(caller, {
    compare: true,
    ...(whole === true ? {} : { projections: whole }),
  });
  caller.show(compared, ['projections', 'events_projected']);
  return compared['differences'] as Difference[];
};

/** Formats a difference as `tickets: {"scope":"tnt_1.test","id":"tkt_1"}: status, topic`. */
const formatLine = ({ projection, table, key, columns }: Difference): string => {
  const place = projection === table ? table : `${projection} (${table})`;
  return `${place}: ${JSON.stringify(key)}: ${columns.join(', ')}`;
};
