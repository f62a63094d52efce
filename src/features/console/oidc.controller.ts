import { Controller, Get, HttpCode, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Answer, AnswerRedirect, Does, Refuses } from '../../http/pipeline/answers';
import { ForVisitor } from '../../http/pipeline/audience';
import { getFacts } from '../../http/pipeline/request-facts';
import { httpsNeededError } from './sign-in';
import { OidcSignIn } from './oidc.sign-in';
import { OidcCallbackQuery, SignInOptions, StartOidcQuery } from './session.dto';

const HTTP_FOUND = 302;

@ApiTags('Console')
@Controller('console/v1/oidc')
export class OidcController {
  constructor(private readonly signIn: OidcSignIn) {}

  @Get('start')
  @ForVisitor()
  @HttpCode(HTTP_FOUND)
  @Refuses('https_needed')
  @Does('Redirects the browser to the identity provider to sign in.')
  @AnswerRedirect('Redirects to the identity provider.')
  async start(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() { return_to: returnTo }: StartOidcQuery,
  ): Promise<void> {
    void reply.header('location', await this.signIn.begin(request, reply, returnTo));
  }

  @Get('callback')
  @ForVisitor()
  @HttpCode(HTTP_FOUND)
  @Refuses('https_needed')
  @Does(
    'Completes a sign-in. The identity provider redirects the browser here.',
    'Only the browser that began the sign-in can complete it. If it is refused, the sign-in page says why.',
  )
  @AnswerRedirect('Redirects into the console, or back to the sign-in page.')
  async callback(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() _query: OidcCallbackQuery,
  ): Promise<void> {
    void reply.header('location', await this.signIn.finish(request, reply));
  }
}

@ApiTags('Console')
@Controller('console/v1/sign_in_options')
export class SignInOptionsController {
  constructor(private readonly provider: OidcSignIn) {}

  @Get()
  @ForVisitor()
  @Does('Shows the ways to sign in that are configured.')
  @Answer(SignInOptions)
  show(@Req() request: FastifyRequest): SignInOptions {
    const { name } = this.provider;
    return {
      password: true,
      oidc: name === null ? null : { name },
      secure: getFacts(request).isSecure,
      https_needed: httpsNeededError(request),
    };
  }
}
