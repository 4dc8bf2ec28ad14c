import { buttonLink, choice, empty, field, html, type Html, type ShellFrame } from '../../edge/page/index.js';
import { MAX_SEARCHED } from '../../money/transaction/index.js';
import { activityList, type Activity } from '../activity/activity.view.js';
import { type PageLinks, pager } from '../activity/page-links.js';
import { dashboardPage } from '../layout.js';
import { paths } from '../paths.js';
import { isFiltered, MAX_TEXT, STATES, WALLETS, type HistoryFilter } from './history-filter.js';

export interface HistoryModel extends PageLinks {
  readonly frame: ShellFrame;
  readonly activity: readonly Activity[];
  readonly filter: HistoryFilter;
  readonly hasDollars: boolean;
}

/** A form of GET: the address has the filter, and can be kept. */
function filterForm({ filter, hasDollars }: HistoryModel): Html {
  const text = field({
    name: 'q',
    label: 'Search',
    hint: 'Name, description, amount, payment hash, bitcoin address or transaction',
    value: filter.text,
    autocomplete: 'off',
    maxlength: MAX_TEXT,
  });
  const wallet = hasDollars && choice({ name: 'wallet', label: 'Wallet', options: WALLETS, value: filter.wallet });
  const day = (name: 'from' | 'until', label: string): Html =>
    field({ name, label, hint: 'A day (UTC)', type: 'date', value: filter[name], autocomplete: 'off' });
  const clear = isFiltered(filter) && buttonLink(paths.history, 'Clear', 'quiet');
  return html`<section class="card">
    <form class="stack" method="get" action="${paths.history}" role="search" aria-label="Payments">
      <div class="cols">
        ${text}${day('from', 'From')}${day('until', 'Until')}${choice({ name: 'state', label: 'Status', hint: 'Received, sent, pending or failed', options: STATES, value: filter.state })}${wallet}
      </div>
      <p class="line"><button class="quiet">Search</button>${clear}</p>
    </form>
  </section>`;
}

export function historyPage(model: HistoryModel): Html {
  const filtered = isFiltered(model.filter);
  const none = filtered
    ? empty(
        'No payments found',
        model.olderHref === null
          ? 'No payment matches your search.'
          : `None of ${MAX_SEARCHED.toLocaleString('en')} payments matches. Older ones may.`,
        buttonLink(paths.history, 'Clear search'),
      )
    : empty('No payments yet', 'Your payments will appear here.', buttonLink(paths.receive, 'Create invoice'));
  const list = model.activity.length > 0 ? activityList(model.activity, model.frame) : none;
  const action = html`<a href="${paths.historyFile}">Download CSV</a>`;
  return dashboardPage(model.frame, { title: 'History', entry: 'history', action }, [
    (filtered || model.activity.length > 0) && filterForm(model),
    html`<section class="card" aria-label="Payments">${list}</section>`,
    pager(model),
  ]);
}
