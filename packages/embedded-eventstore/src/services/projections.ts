import {
  DisableReq,
  DisableResp,
  EnableReq,
  EnableResp,
  StatisticsReq,
  StatisticsResp,
} from '@eventstore/db-client/generated/projections_pb';
import { Empty } from '@eventstore/db-client/generated/shared_pb';
import { createFrame } from '../protocol/framing';
import { errors } from '../protocol/rpc-error';
import type { ProjectionFacts, SystemProjections } from '../projections/system-projections';
import { handleUnary, type Handler } from '../transport/dispatcher';

export const enableProjection = (projections: SystemProjections): Handler =>
  handleUnary(EnableReq, async (request) => {
    const name = request.getOptions()?.getName() ?? '';
    if (!projections.enable(name)) throw errors.projectionNotFound();
    await projections.waitUntilStored();
    return new EnableResp();
  });

/**
 * Disables a projection. A client that wants no last checkpoint aborts the projection, which
 * differs only in the reported status.
 */
export const disableProjection = (projections: SystemProjections): Handler =>
  handleUnary(DisableReq, async (request) => {
    const options = request.getOptions();
    const aborted = options?.getWriteCheckpoint() === false;
    if (!projections.disable(options?.getName() ?? '', { aborted })) {
      throw errors.projectionNotFound();
    }
    await projections.waitUntilStored();
    return new DisableResp();
  });

export const restartProjections = (projections: SystemProjections): Handler =>
  handleUnary(Empty, () => {
    projections.restart();
    return new Empty();
  });

export const sendProjectionStatistics =
  (projections: SystemProjections): Handler =>
  (call) => {
    call.receive((message) => {
      for (const facts of selectProjections(
        projections,
        StatisticsReq.deserializeBinary(message),
      )) {
        const response = new StatisticsResp();
        response.setDetails(createDetails(facts));
        call.send(createFrame(response.serializeBinary()));
      }
      call.end();
    });
  };

/** Selects the requested projections. All system projections are continuous. */
const selectProjections = (
  projections: SystemProjections,
  request: StatisticsReq,
): readonly ProjectionFacts[] => {
  const options = request.getOptions();
  if (options?.hasName()) {
    const found = projections.find(options.getName());
    if (!found) throw errors.projectionNotFound();
    return [found];
  }
  return options?.hasAll() || options?.hasContinuous() ? projections.list() : [];
};

const createDetails = (facts: ProjectionFacts): StatisticsResp.Details => {
  const position = `C:${facts.position}/P:${facts.position}`;
  const details = new StatisticsResp.Details();
  details.setName(facts.name);
  details.setEffectivename(facts.name);
  details.setMode('Continuous');
  details.setStatus(facts.status);
  details.setStatereason(facts.reason);
  details.setPosition(position);
  details.setLastcheckpoint(position);
  details.setProgress(facts.progressPercent);
  details.setEventsprocessedafterrestart(String(facts.eventsProcessed));
  return details;
};

/**
 * Refuses a call for user-defined (JavaScript) projections, which are not supported. A name of no
 * projection is answered as not found, as on EventStoreDB.
 */
export const refuseUserProjection = (
  projections: SystemProjections,
  type: { deserializeBinary(bytes: Uint8Array): NamedRequest },
): Handler =>
  handleUnary(type, (request) => {
    if (!projections.find(request.getOptions()?.getName() ?? '')) throw errors.projectionNotFound();
    throw errors.unimplemented(NO_USER_PROJECTIONS);
  });

interface NamedRequest {
  getOptions(): { getName(): string } | undefined;
}

export const createProjection = (): Handler => () => {
  throw errors.unimplemented(NO_USER_PROJECTIONS);
};

const NO_USER_PROJECTIONS = 'The embedded event store has system projections only.';
