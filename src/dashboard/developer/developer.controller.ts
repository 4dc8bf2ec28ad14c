import { Get, Param, Post } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import {
  ApplicationCredentials,
  ApplicationEditor,
  ApplicationService,
  type Application,
  type WantedApplication,
} from '../../access/oauth/index.js';
import { FlashCookie } from '../../access/signin/index.js';
import { CurrentVisitor, ScopeCatalogue, type Visitor } from '../../edge/auth/index.js';
import { PageError, PageForm, type Form } from '../../edge/page/index.js';
import { RateLimit } from '../../edge/rate-limit/index.js';
import { paths } from '../paths.js';
import { DashboardPages, Reply, type Answer, type Redirect, type Screen } from '../screen.js';
import {
  applicationFormPage,
  emptyApplication,
  typedIn,
  typedOf,
  type ApplicationFormModel,
  type TypedApplication,
} from './application-form.view.js';
import { applicationPage, applicationsPage, credentialsPage, endSecretPage } from './application.view.js';

const missing = (): PageError => new PageError({ kind: 'error', error: 'missing' });

const actor = ({ username }: Visitor['user']): { readonly who: string } => ({ who: `developer ${username}` });

const wantedOf = ({ refresh, redirectUris, ...typed }: TypedApplication): WantedApplication => ({
  ...typed,
  redirectUris: redirectUris.split(/\s+/).filter(Boolean),
  grantTypes: ['authorization_code', ...(refresh ? ['refresh_token'] : [])],
});

/** `/dashboard/developer`: the apps that a person develops. Another person's are not there. */
@DashboardPages('/developer')
export class DeveloperController {
  constructor(
    private readonly applications: ApplicationService,
    private readonly editor: ApplicationEditor,
    private readonly credentials: ApplicationCredentials,
    private readonly catalogue: ScopeCatalogue,
    private readonly flash: FlashCookie,
  ) {}

  @Get()
  async list(@CurrentVisitor() { user }: Visitor): Promise<Screen> {
    const applications = await this.applications.list({ ownerId: user.id });
    return { draw: (frame) => applicationsPage(frame, applications) };
  }

  @Get('new')
  form(): Screen {
    return this.formScreen({ application: null, values: emptyApplication, faults: [] });
  }

  @Post()
  @RateLimit('application')
  async apply(@CurrentVisitor() { user }: Visitor, @PageForm() form: Form): Promise<Answer> {
    const [values, submit] = [typedIn(form), form.text('act') === 'submit'];
    const outcome = await this.editor.apply(wantedOf(values), { ownerId: user.id, submit }, actor(user));
    if (outcome.kind === 'saved') return { seeOther: paths.application(outcome.id) };
    const faults = outcome.kind === 'invalid' ? outcome.faults : [];
    return this.formScreen({ application: null, values, faults, isFull: outcome.kind === 'too_many' }, 422);
  }

  @Get(':id')
  async application(@Param('id') id: string, @CurrentVisitor() visitor: Visitor): Promise<Screen> {
    const application = await this.find(id, visitor);
    const scopes = this.catalogue.all().filter(({ name }) => name !== 'offline_access' && application.scopes.includes(name));
    const secrets = application.client ? await this.credentials.secrets(id) : [];
    const refusals = await this.credentials.refusals(application);
    const model = { application, scopes, secrets, refusals, testMode: this.credentials.isTestMode };
    return { draw: (frame) => applicationPage({ frame, ...model }) };
  }

  @Get(':id/edit')
  async edit(@Param('id') id: string, @CurrentVisitor() visitor: Visitor): Promise<Screen> {
    const application = await this.find(id, visitor);
    return this.formScreen({ application, values: typedOf(application), faults: [] });
  }

  @Post(':id')
  @RateLimit('application')
  async change(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @PageForm() form: Form): Promise<Answer> {
    const [application, values] = [await this.find(id, visitor), typedIn(form)];
    const options = { ownerId: visitor.user.id, submit: form.text('act') === 'submit' };
    const outcome = await this.editor.change(id, wantedOf(values), options, actor(visitor.user));
    if (outcome.kind === 'not_found') throw missing();
    if (outcome.kind === 'saved') return { seeOther: paths.application(id) };
    return this.formScreen({ application, values, faults: outcome.faults }, 422);
  }

  @Post(':id/submit')
  @RateLimit('application')
  async submit(@Param('id') id: string, @CurrentVisitor() { user }: Visitor): Promise<Redirect> {
    const outcome = await this.editor.change(id, {}, { ownerId: user.id, submit: true }, actor(user));
    if (outcome.kind === 'not_found') throw missing();
    // What an extension no longer offers, or a rule that is new: the form says it.
    return { seeOther: outcome.kind === 'saved' ? paths.application(id) : paths.editApplication(id) };
  }

  @Post(':id/test')
  @RateLimit('application')
  async test(@Param('id') id: string, @CurrentVisitor() { user }: Visitor, @Reply() reply: FastifyReply): Promise<Redirect> {
    const outcome = await this.credentials.createTest(id, user.id);
    if (outcome.kind === 'not_found') throw missing();
    if (outcome.kind !== 'created') return { seeOther: paths.application(id) };
    return this.shownOnce(reply, id, outcome.clientId, outcome.secret);
  }

  @Post(':id/secrets')
  @RateLimit('application')
  async addSecret(@Param('id') id: string, @CurrentVisitor() { user }: Visitor, @Reply() reply: FastifyReply): Promise<Redirect> {
    const outcome = await this.credentials.addSecret(id, { ownerId: user.id }, actor(user));
    if (outcome.kind === 'not_found') throw missing();
    return outcome.kind === 'added' ? this.shownOnce(reply, id, id, outcome.secret) : { seeOther: paths.application(id) };
  }

  @Get(':id/credentials')
  async shown(@Param('id') id: string, @CurrentVisitor() visitor: Visitor, @Reply() reply: FastifyReply): Promise<Screen> {
    const application = await this.find(id, visitor);
    const [clientId = '', secret = ''] = this.flash.take(reply, paths.applicationCredentials(id))?.split(' ') ?? [];
    const shown = clientId === '' ? null : { clientId, secret: secret || null };
    return { draw: (frame) => credentialsPage(frame, application, shown) };
  }

  @Get(':id/secrets/:secret/end')
  async ask(@Param('id') id: string, @Param('secret') secretId: string, @CurrentVisitor() visitor: Visitor): Promise<Screen> {
    const application = await this.find(id, visitor);
    const secret = (await this.credentials.secrets(id)).find((each) => each.id === secretId);
    if (!secret) throw missing();
    return { draw: (frame) => endSecretPage(frame, application, secret) };
  }

  @Post(':id/secrets/:secret/end')
  async endSecret(@Param('id') id: string, @Param('secret') secretId: string, @CurrentVisitor() { user }: Visitor): Promise<Redirect> {
    if (!(await this.credentials.endSecret(id, secretId, { ownerId: user.id }, actor(user)))) throw missing();
    return { seeOther: paths.application(id) };
  }

  /** @throws PageError unless it is an application of this person */
  private async find(id: string, { user }: Visitor): Promise<Application> {
    const application = await this.applications.find(id, user.id);
    if (!application) throw missing();
    return application;
  }

  private shownOnce(reply: FastifyReply, id: string, clientId: string, secret: string | null): Redirect {
    return this.flash.show(reply, paths.applicationCredentials(id), `${clientId} ${secret ?? ''}`);
  }

  private formScreen(model: Omit<ApplicationFormModel, 'frame' | 'scopes'>, status = 200): Screen {
    return { draw: (frame) => applicationFormPage({ ...model, frame, scopes: this.catalogue.all() }), status };
  }
}
