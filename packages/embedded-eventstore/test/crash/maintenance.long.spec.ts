import { randomInt } from 'node:crypto';
import { describeMaintenanceCrashes } from './maintenance-crashes';

/** `MAINTENANCE_KILLS` sets the number of kills, and the printed seed repeats a run. */
describeMaintenanceCrashes({
  kills: Number(process.env['MAINTENANCE_KILLS'] ?? 12),
  seed: Number(process.env['STORE_CRASH_SEED'] ?? randomInt(2 ** 32)),
});
