import { parseFault, type FaultName } from './faults';
import type { FaultSchedule } from './schedule';

interface FaultyServer {
  injectFault(name: FaultName, schedule: FaultSchedule): void;
  clearFaults(): number;
}

/** A message from the parent process over the IPC channel. */
export type FaultMessage = { readonly inject: string } | { readonly clearFaults: true };

/**
 * The response: the faults are in force, or ended after they struck this often, or the reason why
 * they are not.
 */
export type FaultReply =
  { readonly faultsSet: true; readonly struck?: number } | { readonly error: string };

/**
 * Sets the faults that the parent process requests. Only a parent that opened an IPC channel can
 * send them, so nobody on the network can.
 */
export const handleFaultMessages = (server: FaultyServer): void => {
  if (!process.send) return;
  process.on('message', (message: FaultMessage) => {
    process.send?.(executeFaultMessage(server, message));
  });
  // The channel must neither keep the process alive nor end it when the parent ends.
  process.channel?.unref();
};

const executeFaultMessage = (server: FaultyServer, message: FaultMessage): FaultReply => {
  try {
    if ('clearFaults' in message) return { faultsSet: true, struck: server.clearFaults() };
    server.injectFault(...parseFault(message.inject));
    return { faultsSet: true };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
};
