import { BadRequestException, Get, Param, Post, Query, Res, UseInterceptors } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { FlashCookie, requireFreshFactor } from '../../access/signin/index.js';
import { CurrentVisitor, Operator, type Visitor } from '../../edge/auth/index.js';
import { AnswerInterceptor, outsideText, PageController, PageForm, type Answer, type Form, type Screen } from '../../edge/page/index.js';
import { isUuid, newId } from '../../platform/kernel/uuid.js';
import { CommandError, UsageError, type CommandResult } from '../command/index.js';
import { argumentsIn } from './command-form.js';
import { commandOf, paths } from './console-page.js';
import { ConsoleService } from './console.service.js';
import { actPage, consolePage, donePage, homePage, type Outcome } from './console.view.js';

type Values = Readonly<Record<string, unknown>>;

const refusalIn = (error: unknown): string => {
  if (error instanceof CommandError || error instanceof UsageError) return error.message;
  throw error;
};
/** Characters, so that their bytes fit a cookie: browsers keep none of more than 4,096. */
const MAX_KEPT = 700;
const MAX_KEPT_LINE = 500;

function fitting(lines: readonly string[]): string[] {
  let left = MAX_KEPT;
  return lines.map((line) => outsideText(line, MAX_KEPT_LINE)).filter(({ length }) => (left -= length) >= 0);
}

const textIn =
  (values: Values) =>
  (name: string): string =>
    typeof values[name] === 'string' ? values[name] : '';

/** The operators' console: pages over the commands of src/operator/act. */
@PageController('operator')
@Operator()
@UseInterceptors(AnswerInterceptor)
export class ConsoleController {
  constructor(
    private readonly service: ConsoleService,
    private readonly flash: FlashCookie,
  ) {}

  @Get()
  async home(@CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const checks = await this.service.health(user.username);
    return { draw: (frame) => homePage({ frame, checks }) };
  }

  @Get('done')
  done(@Res({ passthrough: true }) reply: FastifyReply): Screen {
    const kept = this.flash.take(reply, paths.done);
    return { draw: (frame) => donePage({ frame, outcome: kept === null ? null : (JSON.parse(kept) as Outcome) }) };
  }

  @Get(':page')
  async page(@Param('page') path: string, @Query() query: Values, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const page = this.service.page(path);
    const [value, row] = [textIn(query), textIn(query)('row')];
    const result: CommandResult = await this.service
      .show(page, (name) => (name === 'argument-1' ? row : (page.filters ?? []).includes(name) ? value(name) : ''), user.username)
      .catch((error: unknown) => ({ found: null, lines: [], failure: refusalIn(error) }));
    const status = result.found === null ? 422 : 200;
    return { status, draw: (frame) => consolePage({ frame, page, row, result, value }) };
  }

  @Get('act/:act')
  form(@Param('act') act: string, @Query() query: Values, @CurrentVisitor() visitor: Visitor): Screen {
    return this.formScreen(act, visitor, textIn({ operator: visitor.user.username, ...query }), null);
  }

  @Post('act/:act')
  async act(
    @Param('act') act: string,
    @CurrentVisitor() visitor: Visitor,
    @PageForm() form: Form,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Answer> {
    const command = this.service.act(commandOf(act));
    requireFreshFactor(visitor, paths.act(act));
    const value = (name: string): string => form.text(name);
    if (!isUuid(value('form'))) throw new BadRequestException();
    const { id, username } = visitor.user;
    try {
      const result = await this.service.once(id, value('form'), () =>
        this.service.run(command.name, argumentsIn(command, value), username, value('password')),
      );
      const lines = result && fitting([...result.lines, ...(result.failure === undefined ? [] : [result.failure])]);
      this.flash.keep(reply, paths.done, JSON.stringify({ command: command.name, lines } satisfies Outcome));
      return { seeOther: paths.done };
    } catch (error) {
      return this.formScreen(act, visitor, value, refusalIn(error));
    }
  }

  private formScreen(act: string, visitor: Visitor, value: (name: string) => string, refusal: string | null): Screen {
    const command = this.service.act(commandOf(act));
    requireFreshFactor(visitor, paths.act(act));
    return { status: refusal === null ? 200 : 422, draw: (frame) => actPage({ frame, command, value, refusal, form: newId() }) };
  }
}
