import { Controller, Get, Query, Redirect, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Answer, AnswerRedirect, Does, Refuses } from '../../http/pipeline/answers';
import { ForVisitor } from '../../http/pipeline/audience';
import { factsOf } from '../../http/pipeline/request-facts';
import { needsHttps } from './sign-in';
import { OidcSignIn } from './oidc.sign-in';
import { OidcCallbackQuery, SignInOptions, StartOidcQuery } from './session.dto';

const FOUND = 302;

@ApiTags('Console')
@Controller('console/v1/oidc')
export class OidcController {
  constructor(private readonly door: OidcSignIn) {}

  @Get('start')
  @ForVisitor()
  @Redirect()
  @Refuses('https_needed')
  @Does('Leads the browser to the provider of identities to sign in.')
  @AnswerRedirect('To the provider.')
  async start(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() { return_to: returnTo }: StartOidcQuery,
  ): Promise<{ url: string; statusCode: number }> {
    return { url: await this.door.begin(request, reply, returnTo), statusCode: FOUND };
  }

  @Get('callback')
  @ForVisitor()
  @Redirect()
  @Refuses('https_needed')
  @Does(
    'Ends a sign-in by the provider of identities, which leads the browser here.',
    'Only the browser that began it can end it. Where it is refused, the sign-in page says why.',
  )
  @AnswerRedirect('Into the console, or back to the sign-in page.')
  async callback(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query() _query: OidcCallbackQuery,
  ): Promise<{ url: string; statusCode: number }> {
    return { url: await this.door.finish(request, reply), statusCode: FOUND };
  }
}

@ApiTags('Console')
@Controller('console/v1/sign_in_options')
export class SignInOptionsController {
  constructor(private readonly provider: OidcSignIn) {}

  @Get()
  @ForVisitor()
  @Does('Shows how people can sign in here.')
  @Answer(SignInOptions)
  show(@Req() request: FastifyRequest): SignInOptions {
    const { name } = this.provider;
    return {
      password: true,
      oidc: name === null ? null : { name },
      secure: factsOf(request).isSecure,
      https_needed: needsHttps(request),
    };
  }
}
