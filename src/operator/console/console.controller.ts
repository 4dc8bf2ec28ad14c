import { BadRequestException, Get, NotFoundException, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { FlashCookie, requireFreshFactor } from '../../access/signin/index.js';
import { CurrentVisitor, Operator, type Visitor } from '../../edge/auth/index.js';
import { AnswerInterceptor, outsideText, PageController, PageForm, Reply } from '../../edge/page/index.js';
import type { Answer, Form, Screen } from '../../edge/page/index.js';
import { isUuid, newId } from '../../platform/kernel/uuid.js';
import { CommandError, UsageError, type CommandResult, type OperatorCommand } from '../command/index.js';
import { argumentsIn } from './command-form.js';
import { commandNamed, commandOf, pageAt, pageOffering, paths } from './console-page.js';
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

/** @throws NotFoundException for a command that the console does not offer */
function actOf(act: string, visitor: Visitor): OperatorCommand {
  if (!pageOffering(commandOf(act))) throw new NotFoundException();
  requireFreshFactor(visitor, paths.act(act));
  return commandNamed(commandOf(act));
}

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
  done(@Reply() reply: FastifyReply): Screen {
    const kept = this.flash.take(reply, paths.done);
    return { draw: (frame) => donePage({ frame, outcome: kept === null ? null : (JSON.parse(kept) as Outcome) }) };
  }

  @Get(':page')
  async page(@Param('page') path: string, @Query() query: Values, @CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const page = pageAt(path);
    if (!page) throw new NotFoundException();
    const [value, row] = [textIn(query), textIn(query)('row')];
    const asked = (name: string): string => (name === 'argument-1' ? row : (page.filters ?? []).includes(name) ? value(name) : '');
    const show = async (): Promise<CommandResult> =>
      this.service.run(page.command, argumentsIn(commandNamed(page.command), asked), user.username);
    const result = await show().catch((error: unknown) => ({ found: null, lines: [], failure: refusalIn(error) }));
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
    @Reply() reply: FastifyReply,
  ): Promise<Answer> {
    const command = actOf(act, visitor);
    const value = (name: string): string => form.text(name);
    if (!isUuid(value('form'))) throw new BadRequestException();
    const { id, username } = visitor.user;
    try {
      const result = await this.service.once(id, value('form'), () =>
        this.service.run(command.name, argumentsIn(command, value), username, value('password')),
      );
      const lines = result && fitting([...result.lines, ...(result.failure === undefined ? [] : [result.failure])]);
      return this.flash.show(reply, paths.done, JSON.stringify({ command: command.name, lines } satisfies Outcome));
    } catch (error) {
      return this.formScreen(act, visitor, value, refusalIn(error));
    }
  }

  private formScreen(act: string, visitor: Visitor, value: (name: string) => string, refusal: string | null): Screen {
    const command = actOf(act, visitor);
    return { status: refusal === null ? 200 : 422, draw: (frame) => actPage({ frame, command, value, refusal, form: newId() }) };
  }
}
