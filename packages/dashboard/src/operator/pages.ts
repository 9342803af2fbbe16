import type { RouteComponent } from '@tanstack/react-router'
import type { Needs } from './api/rights.ts'
import { parseCasesSearch } from './pages/cases/cases-search.ts'
import { parseConnectSearch } from './pages/connect/connect-search.ts'
import { parseTableSearch } from './pages/identifications/table-search.ts'
import { parseLabelsSearch } from './pages/labels/labels-search.ts'
import { parseListsSearch } from './pages/lists/lists-search.ts'
import { parseOverviewSearch } from './pages/overview/overview-search.ts'
import type { IconName } from './parts/icon.tsx'
import { lazyPage } from './parts/lazy-page.tsx'
import {
  parseCompareSearch,
  parseDecisionsSearch,
  parseEntitySearch,
  parsePatternsSearch,
} from './search-params.ts'

export interface Page {
  /** Below the dashboard's base path. A path with `$domain` belongs to one domain. */
  path: `/${string}`
  /** Its heading, unless that depends on the data, and its name in the navigation. */
  title: string
  /** Pages with an icon are listed in the navigation, in this order; others are reached by links. */
  icon?: IconName
  /** What it takes to read it; its links are hidden from others. The server decides itself. */
  needs?: Needs
  /** Validates the query of its address; what it returns is what the page reads. */
  search?: (search: Record<string, unknown>) => object
  component: RouteComponent
}

/** Every page behind the login. The router, the navigation and the browser tests all read this list. */
export const PAGES = [
  {
    path: '/d/$domain/overview',
    title: 'Overview',
    icon: 'chart',
    needs: 'visits:read',
    search: parseOverviewSearch,
    component: lazyPage(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  },
  {
    path: '/d/$domain/identifications',
    title: 'Identifications',
    icon: 'table',
    needs: 'visits:read',
    search: parseTableSearch,
    component: lazyPage(
      () => import('./pages/identifications/identifications-page.tsx'),
      'IdentificationsPage',
    ),
  },
  {
    path: '/d/$domain/identifications/$requestId',
    title: 'Identification',
    needs: 'visits:read',
    component: lazyPage(() => import('./pages/identification/identification-page.tsx'), 'IdentificationPage'),
  },
  {
    path: '/d/$domain/entity',
    title: 'Entity',
    needs: 'visits:read',
    search: parseEntitySearch,
    component: lazyPage(() => import('./pages/entity/entity-page.tsx'), 'EntityPage'),
  },
  {
    path: '/d/$domain/compare',
    title: 'Compare devices',
    needs: 'visits:read',
    search: parseCompareSearch,
    component: lazyPage(() => import('./pages/devices/compare-page.tsx'), 'ComparePage'),
  },
  {
    path: '/d/$domain/cases',
    title: 'Cases',
    icon: 'inbox',
    needs: 'visits:read',
    search: parseCasesSearch,
    component: lazyPage(() => import('./pages/cases/cases-page.tsx'), 'CasesPage'),
  },
  {
    path: '/d/$domain/cases/$number',
    title: 'Case',
    needs: 'visits:read',
    component: lazyPage(() => import('./pages/case/case-page.tsx'), 'CasePage'),
  },
  {
    path: '/d/$domain/patterns',
    title: 'Patterns',
    icon: 'alert',
    needs: 'visits:read',
    search: parsePatternsSearch,
    component: lazyPage(() => import('./pages/patterns/patterns-page.tsx'), 'PatternsPage'),
  },
  {
    path: '/d/$domain/patterns/$findingId',
    title: 'Pattern',
    needs: 'visits:read',
    component: lazyPage(() => import('./pages/patterns/finding-page.tsx'), 'FindingPage'),
  },
  {
    path: '/d/$domain/proposals',
    title: 'Proposals',
    icon: 'check',
    needs: 'visits:read',
    component: lazyPage(() => import('./pages/proposals/proposals-page.tsx'), 'ProposalsPage'),
  },
  {
    path: '/d/$domain/alerts',
    title: 'Alerts',
    icon: 'bell',
    component: lazyPage(() => import('./pages/alerts/alerts-page.tsx'), 'AlertsPage'),
  },
  {
    path: '/d/$domain/decisions',
    title: 'Decisions',
    icon: 'branch',
    needs: 'visits:read',
    search: parseDecisionsSearch,
    component: lazyPage(() => import('./pages/decisions/decisions-page.tsx'), 'DecisionsPage'),
  },
  {
    path: '/d/$domain/decision-rules',
    title: 'Decision rules',
    icon: 'fork',
    needs: 'visits:read',
    component: lazyPage(() => import('./pages/decision-rules/decision-rules-page.tsx'), 'DecisionRulesPage'),
  },
  {
    path: '/d/$domain/decision-rules/$ruleId',
    title: 'Decision rule',
    needs: 'visits:read',
    component: lazyPage(() => import('./pages/decision-rules/rule-page.tsx'), 'RulePage'),
  },
  {
    path: '/d/$domain/lists',
    title: 'Lists',
    icon: 'lines',
    needs: 'visits:read',
    search: parseListsSearch,
    component: lazyPage(() => import('./pages/lists/lists-page.tsx'), 'ListsPage'),
  },
  {
    path: '/d/$domain/labels',
    title: 'Labels',
    icon: 'tag',
    needs: 'visits:read',
    search: parseLabelsSearch,
    component: lazyPage(() => import('./pages/labels/labels-page.tsx'), 'LabelsPage'),
  },
  {
    path: '/d/$domain/integration',
    title: 'Integration',
    icon: 'plug',
    component: lazyPage(() => import('./pages/integration/integration-page.tsx'), 'IntegrationPage'),
  },
  {
    path: '/d/$domain/api-keys',
    title: 'API keys',
    icon: 'key',
    component: lazyPage(() => import('./pages/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
  },
  {
    path: '/d/$domain/webhooks',
    title: 'Webhooks',
    icon: 'send',
    component: lazyPage(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  },
  {
    path: '/d/$domain/rules',
    title: 'Weights and rules',
    icon: 'sliders',
    needs: 'visits:read',
    component: lazyPage(() => import('./pages/rules/rules-page.tsx'), 'RulesPage'),
  },
  {
    path: '/d/$domain/signals/$signal',
    title: 'Signal',
    needs: 'visits:read',
    component: lazyPage(() => import('./pages/signal/signal-page.tsx'), 'SignalPage'),
  },
  {
    path: '/d/$domain/privacy',
    title: 'Privacy',
    icon: 'shield',
    needs: 'privacy:write',
    component: lazyPage(() => import('./pages/privacy/privacy-page.tsx'), 'PrivacyPage'),
  },
  {
    path: '/d/$domain/members',
    title: 'Members',
    icon: 'users',
    needs: 'members:write',
    component: lazyPage(() => import('./pages/members/members-page.tsx'), 'MembersPage'),
  },
  {
    path: '/d/$domain/changes',
    title: 'Changes',
    icon: 'list',
    needs: 'audit:read',
    component: lazyPage(() => import('./pages/audit/changes-page.tsx'), 'ChangesPage'),
  },
  {
    path: '/domains',
    title: 'Domains and keys',
    icon: 'globe',
    component: lazyPage(() => import('./pages/domains/domains-page.tsx'), 'DomainsPage'),
  },
  {
    path: '/feeds',
    title: 'Feeds',
    icon: 'download',
    needs: 'health:read',
    component: lazyPage(() => import('./pages/feeds/feeds-page.tsx'), 'FeedsPage'),
  },
  {
    path: '/health',
    title: 'System health',
    icon: 'pulse',
    needs: 'health:read',
    component: lazyPage(() => import('./pages/health/health-page.tsx'), 'HealthPage'),
  },
  {
    path: '/users',
    title: 'Users',
    icon: 'users',
    needs: 'owner',
    component: lazyPage(() => import('./pages/users/users-page.tsx'), 'UsersPage'),
  },
  {
    path: '/audit',
    title: 'Audit log',
    icon: 'list',
    needs: 'owner',
    component: lazyPage(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
  },
  {
    path: '/account',
    title: 'My account',
    component: lazyPage(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
  },
  {
    path: '/connect',
    title: 'Connect an assistant',
    search: parseConnectSearch,
    component: lazyPage(() => import('./pages/connect/connect-page.tsx'), 'ConnectPage'),
  },
] as const satisfies readonly Page[]
