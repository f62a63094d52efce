import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Config } from '../../config/config';
import { Runtime } from '../../config/runtime';
import { LISTENER_LEASE_MS, LocalListeners } from '../../delivery/webhook/local-listeners';
import { Sender } from '../../delivery/webhook/sender';
import { Answer, Does, Refuses } from '../../http/pipeline/answers';
import { Audited, ForOperator } from '../../http/pipeline/audience';
import { getFacts } from '../../http/pipeline/request-facts';
import { DomainError } from '../../kernel/errors';
import { AdmitListenerBody, LocalListenerResource } from './local-listener.dto';

@ApiTags('Operator')
@ForOperator()
@Controller('operator/v1/local_listeners')
export class LocalListenerController {
  constructor(
    private readonly listeners: LocalListeners,
    private readonly sender: Sender,
    private readonly config: Config,
    private readonly runtime: Runtime,
  ) {}

  @Post()
  @Audited('local_listener.admitted', 'service')
  @HttpCode(200)
  @Refuses('url_not_allowed')
  @Does(
    'Admits a listener of the command `listen` on this machine.',
    'Afterwards a destination of a test environment may use its URL, although other private addresses are refused. The listener must prove that it holds the key. Repeat the call before `expires_in_seconds` have passed. Works only if the whole service runs on one machine.',
  )
  @Answer(LocalListenerResource)
  async admit(
    @Req() request: FastifyRequest,
    @Body() { url, proof_key: key }: AdmitListenerBody,
  ): Promise<LocalListenerResource> {
    getFacts(request).isRenewal = this.listeners.admits(url);
    if (!this.reachesAllDispatchers()) {
      throw createRefusal(
        'Local listeners need a service that runs on one machine, under one supervisor.',
      );
    }
    if (!(await this.listeners.verify(url, key, (request) => this.sender.send(request)))) {
      throw createRefusal(
        'No listener with this key answers at the URL on the machine of the service.',
      );
    }
    return { url, expires_in_seconds: LISTENER_LEASE_MS / 1_000 };
  }

  /**
   * True if every dispatcher runs on this machine. The listener is known on this machine only, so a
   * dispatcher on another one would refuse its address.
   */
  private reachesAllDispatchers(): boolean {
    const { isAlone, isSqlEmbedded, siblings } = this.runtime;
    if (siblings !== null) return isSqlEmbedded;
    return isAlone && this.config.roles.has('dispatcher');
  }
}

const createRefusal = (message: string): DomainError =>
  new DomainError('url_not_allowed', message, { param: 'url' });
