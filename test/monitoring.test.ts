import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Histogram } from 'prom-client';
import { parse } from 'yaml';
import { ADVISED, allMetrics } from '../scripts/docs/metrics.ts';

const ALERTS = 'deploy/prometheus/alerts.yaml';
const DASHBOARD = 'deploy/grafana/cardprice.json';
const FAILING = 'test/fixtures/monitoring/failing-cluster.yaml';
const SCRAPING = 'deploy/prometheus/prometheus.yaml';

/** What a metric of the registry is called in queries. */
const own = allMetrics().flatMap((metric) => {
  const { name } = metric as unknown as { readonly name: string };
  return metric instanceof Histogram
    ? ['_bucket', '_sum', '_count'].map((end) => name + end)
    : [name];
});
/** Metrics of the other programs of a cluster. */
const others = readFileSync('test/fixtures/monitoring/others.txt', 'utf8').match(/^\w+$/gm) ?? [];
const names = new Set([...own, ...others]);

function metricsIn(query: string): string[] {
  return query.match(/\b(?:cardprice|process|nodejs|patroni|etcd|pg|node)_\w+/g) ?? [];
}

describe('docs/metrics.md', () => {
  it('explains every metric of ours, and no other', () => {
    const all = allMetrics().map((metric) => (metric as unknown as { readonly name: string }).name);
    const wanted = all.filter((name) => name.startsWith('cardprice_'));
    assert.deepEqual(ADVISED.toSorted(), wanted.toSorted());
  });
});

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<'summary' | 'description' | 'runbook', string>>;
}

describe('the alerts of Prometheus', () => {
  const { groups } = parse(readFileSync(ALERTS, 'utf8')) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);

  it('are many, each by another name', () => {
    assert.ok(rules.length >= 15);
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  });

  for (const { alert, expr, labels, annotations } of rules) {
    it(`${alert} asks for metrics that exist, and says what they mean`, () => {
      const asked = metricsIn(expr);
      assert.ok(asked.length > 0 || expr.startsWith('up{'), expr);
      assert.deepEqual(
        asked.filter((name) => !names.has(name)),
        [],
      );
      assert.match(labels.severity, /^(page|ticket)$/);
      assert.ok(annotations.summary && annotations.description);
      const [file = '', anchor = ''] = annotations.runbook.split('#');
      const text = readFileSync(file, 'utf8');
      const headings = [...text.matchAll(/^## (.*)$|<a id="(\w+)">/gm)];
      const anchors = headings.map(([, heading = '', id]) => {
        return id ?? heading.toLowerCase().replaceAll(' ', '-');
      });
      assert.ok(anchors.includes(anchor), annotations.runbook);
    });
  }

  // Where it is installed: no package of npm has it.
  if (spawnSync('promtool', ['--version']).status === 0) {
    it('are right by promtool', () => {
      const { status, stderr } = spawnSync('promtool', ['check', 'rules', ALERTS]);
      assert.equal(status, 0, String(stderr));
    });

    it('tell of a cluster that fails', () => {
      const { status, stderr } = spawnSync('promtool', ['test', 'rules', FAILING]);
      assert.equal(status, 0, String(stderr));
    });
  }

  it('ask for all metrics of other programs that are known here', () => {
    const asked = new Set(rules.flatMap(({ expr }) => metricsIn(expr)));
    assert.deepEqual(
      others.filter((name) => !asked.has(name)),
      [],
    );
  });

  it('of a cluster are those that its page explains', () => {
    const page = readFileSync('docs/cluster.md', 'utf8');
    const section = page.slice(page.indexOf('\n## What to watch'), page.indexOf('\n## Backup'));
    const explained = new Set(section.match(/(?<=`)Cardprice\w+(?=`)/g));
    const [, ofCluster] = groups;
    const missing = ofCluster?.rules.filter(({ alert }) => !explained.delete(alert));
    assert.deepEqual(missing, []);
    const known = rules.map(({ alert }) => alert);
    assert.deepEqual(
      [...explained].filter((name) => !known.includes(name)),
      [],
    );
  });

  it('are named by the example of a configuration', () => {
    const { rule_files, scrape_configs } = parse(readFileSync(SCRAPING, 'utf8'));
    assert.deepEqual(rule_files, ['alerts.yaml']);
    assert.equal(scrape_configs[0].job_name, 'cardprice');
    assert.equal(scrape_configs[0].authorization.credentials_file, 'cardprice-metrics-token');
  });
});

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

describe('the dashboard of Grafana', () => {
  const dashboard = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as {
    readonly panels: readonly Panel[];
  };
  const panels = dashboard.panels.filter(({ type }) => type !== 'row');

  it('has panels that each ask for metrics that exist', () => {
    assert.ok(panels.length >= 20);
    for (const { title, targets = [] } of panels) {
      assert.ok(targets.length > 0, title);
      for (const { expr } of targets) {
        const asked = metricsIn(expr);
        assert.ok(asked.length > 0, title);
        const unknown = asked.filter((name) => !names.has(name));
        assert.deepEqual(unknown, [], title);
      }
    }
  });

  it('names no other metric in its variables and annotations', () => {
    const unknown = metricsIn(readFileSync(DASHBOARD, 'utf8')).filter((name) => !names.has(name));
    assert.deepEqual(unknown, []);
  });

  it('has every panel once', () => {
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
  });
});
