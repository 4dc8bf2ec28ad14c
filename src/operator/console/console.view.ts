import {
  badge,
  buttonLink,
  card,
  choice,
  csrfField,
  empty,
  errorSummary,
  facts,
  field,
  headline,
  html,
  moment,
  notice,
  shellPage,
  table,
  untrustedText,
  type Headline,
  type Html,
  type HtmlValue,
  type ShellFrame,
} from '../../edge/page/index.js';
import type { CommandResult, OperatorCommand } from '../command/index.js';
import { asksPassword, fieldsOf, type CommandField } from './command-form.js';
import { commandNamed, pageAt, pageOffering, PAGES, paths, type ConsolePage } from './console-page.js';
import type { HealthCheck } from './console.service.js';

const HOME = { href: paths.home, label: 'Console' } as const;

const page = (frame: ShellFrame, top: Headline & { readonly title: string }, content: HtmlValue, error = false): Html =>
  shellPage(frame, { title: `${top.title} (console)`, currentEntry: '/operator', error, body: html`${headline(top)} ${content}` });

const commandSaid = (name: string): Html => html`The command is <code>sluice ${name}</code>.`;

export function homePage({ frame, checks }: { readonly frame: ShellFrame; readonly checks: readonly HealthCheck[] }): Html {
  const troubles = checks.filter(({ trouble }) => trouble !== null);
  const said = troubles.length === 0 ? notice(html`<p>All is well. Nothing waits for you.</p>`, 'good') : null;
  const states = facts(
    checks.map(({ label, href, trouble }) => [
      label,
      trouble === null
        ? badge('OK', 'good')
        : html`${badge(trouble, 'bad')} <a href="${href}">Look<span class="hide"> at: ${label}</span></a>`,
    ]),
  );
  const links = PAGES.filter(({ path }) => !PAGES.some(({ opens, besides }) => opens?.page === path || besides?.includes(path)));
  const list = html`<ul class="list">
    ${links.map(({ path, title }) => html`<li><a href="${paths.page(path)}">${title}</a></li>`)}
  </ul>`;
  return page(frame, { title: 'Console' }, [said, card('State', states), card('Pages', list)]);
}

/** A callback URL of an app, the longest text that a person decides about, has 2,000 characters. */
const MAX_LINE = 2_100;

function shown(value: unknown, frame: ShellFrame): HtmlValue {
  if (value instanceof Date) return moment(value, frame);
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value) && value !== ''
    ? untrustedText(`${value as string}`, MAX_LINE)
    : '–';
}

const linesOf = (lines: readonly string[]): Html =>
  html`<ul class="list">
    ${lines.map((line) => html`<li>${untrustedText(line, MAX_LINE)}</li>`)}
  </ul>`;

interface PageModel {
  readonly frame: ShellFrame;
  readonly page: ConsolePage;
  readonly row: string;
  readonly result: CommandResult;
  readonly value: (name: string) => string;
}

function rowsOf({ frame, page: { title, columns = {}, opens }, result }: PageModel): HtmlValue {
  const rows = result.found as readonly Readonly<Record<string, unknown>>[];
  if (rows.length === 0) return empty(result.lines[0] ?? 'Nothing', 'What the command finds will be listed here.');
  const cells = rows.map((row) =>
    Object.keys(columns).map((name, index) => {
      const cell = shown(row[name], frame);
      const target = opens && index === 0 ? String(row[opens.by]) : undefined;
      return opens && target !== undefined ? html`<a href="${paths.page(opens.page, target)}">${cell}</a>` : cell;
    }),
  );
  return table({ caption: title, columns: Object.values(columns), rows: cells });
}

function filterForm({ page: { path, command, filters = [] }, value }: PageModel): Html | null {
  if (filters.length === 0) return null;
  const fields = fieldsOf(commandNamed(command)).filter(({ name }) => filters.includes(name));
  const asked = fields.map((each) => fieldOf(each, value(each.name)));
  return html`<form class="card" method="get" action="${paths.page(path)}">${asked}<button class="quiet">Show</button></form>`;
}

export function consolePage(model: PageModel): Html {
  const { frame, row, result } = model;
  const { title, command, columns, acts = {}, besides = [] } = model.page;
  const failure = result.failure !== undefined && notice(html`<p>${untrustedText(result.failure, 2_000)}</p>`, 'bad');
  const found = result.found === null ? null : columns ? rowsOf(model) : card(title, linesOf(result.lines));
  const isOfRow = row !== '';
  const { version } = (result.found ?? {}) as { readonly version?: unknown };
  const links = [
    ...(isOfRow ? besides : []).map((path) => buttonLink(paths.page(path, row), pageAt(path)?.title ?? path, 'quiet')),
    ...Object.entries(acts).map(([name, words]) =>
      buttonLink(isOfRow ? paths.actOn(model.page, name, row, version) : paths.act(name), words, 'quiet'),
    ),
  ];
  return page(frame, { title, back: HOME, sub: commandSaid(command) }, [
    failure,
    filterForm(model),
    found,
    links.length > 0 && html`<div class="line">${links}</div>`,
  ]);
}

function fieldOf({ name, label, hint, kind, options, required }: CommandField, value: string): Html {
  // What the person has seen, by the link that led here.
  if (name === 'seen') return html`<input type="hidden" name="${name}" value="${value}" />`;
  const about = { name, label, ...(hint !== undefined && { hint }) };
  if (kind === 'choice') return choice({ ...about, value, options: options.map((each) => ({ value: each, label: each })) });
  if (kind === 'text') return field({ ...about, label: required ? label : `${label} (optional)`, value, required, verbatim: true });
  const box = html`<input type="checkbox" name="${name}" value="on" ${value !== '' && html`checked`} />`;
  return html`<label class="scope"
    >${box}<span><b>${label}</b>${hint !== undefined && html`<span class="sub">${hint}</span>`}</span></label
  >`;
}

export interface ActModel {
  readonly frame: ShellFrame;
  readonly command: OperatorCommand;
  readonly value: (name: string) => string;
  readonly refusal: string | null;
  /** The identifier of this form: it acts once. */
  readonly form: string;
}

export function actPage({ frame, command, value, refusal, form }: ActModel): Html {
  const { name, summary, details = [] } = command;
  const password = field({
    name: 'password',
    label: 'Password of this operator',
    hint: 'Of the operator who is named above: where a second operator has to act, theirs.',
    type: 'password',
    autocomplete: 'off',
    required: true,
  });
  const back = pageOffering(name);
  const words = back?.acts?.[name] ?? name;
  const content = html`${refusal !== null && errorSummary([{ field: 'act', text: untrustedText(refusal, 2_000) }])}
    <form class="card" method="post" action="${paths.act(name)}" id="act">
      ${csrfField(frame.csrf)}<input type="hidden" name="form" value="${form}" />
      <p>${summary}.</p>
      ${details.map((line) => html`<p class="sub">${line}</p>`)} ${fieldsOf(command).map((each) => fieldOf(each, value(each.name)))}
      ${asksPassword(command) && password}
      <div class="line"><button>${words}</button>${buttonLink(paths.home, 'Cancel', 'quiet')}</div>
    </form>`;
  return page(
    frame,
    {
      title: words,
      back: back && !back.command.endsWith(' show') ? { href: paths.page(back.path), label: back.title } : HOME,
      sub: commandSaid(name),
    },
    content,
    refusal !== null,
  );
}

/** What an act has printed; null lines: its form was sent before. */
export interface Outcome {
  readonly command: string;
  readonly lines: readonly string[] | null;
}

export function donePage({ frame, outcome }: { readonly frame: ShellFrame; readonly outcome: Outcome | null }): Html {
  if (outcome === null || outcome.lines === null) {
    const text = outcome ? 'This form was sent before. Nothing was done again.' : 'What an act has printed is shown once.';
    return page(frame, { title: 'Done before', back: HOME }, notice(html`<p>${text} The log of operators has it.</p>`));
  }
  return page(frame, { title: 'Done', back: HOME, sub: commandSaid(outcome.command) }, card('Result', linesOf(outcome.lines)));
}
