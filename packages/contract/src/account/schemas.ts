import type { z } from 'zod'
import { OwnWeights } from '../own-weights.ts'
import { AuditPage, AuditRecord } from './audit.ts'
import { Delivery, DeliveryPage } from './deliveries.ts'
import {
  AccountDomain,
  AccountDomains,
  DomainAddition,
  DomainChange,
  NewDomainKeys,
  RotatedKey,
} from './domains.ts'
import {
  EndpointAddition,
  EndpointAttempt,
  EndpointChange,
  NewEndpoint,
  RotatedSecret,
  WebhookEndpoint,
  WebhookEndpoints,
} from './endpoints.ts'
import { EntityDay, EntityGraph, EntitySummary, LinkedValue } from './entities.ts'
import { AccountFeed, AccountFeeds, FeedChoice } from './feeds.ts'
import { HealthCheck, IngestMinute, SystemHealth } from './health.ts'
import {
  IdentificationDetail,
  IdentificationList,
  IdentificationVersion,
  PendingEvent,
} from './identifications.ts'
import {
  Overview,
  OverviewBucket,
  OverviewScore,
  OverviewTrend,
  OverviewValue,
  OverviewValues,
} from './overview.ts'
import { PatternFinding, PatternFindingDetail, PatternFindings, PatternValue } from './patterns.ts'
import { ErasureAnswer, ErasureBody } from './privacy.ts'
import {
  BackTest,
  BackTestReport,
  BackTestStart,
  DomainRules,
  LatestBackTest,
  RulesChoice,
  RulesSaving,
  RulesVersion,
  SignalRule,
} from './rules.ts'
import { LoginBody, SessionAnswer, SignedInUser } from './session.ts'
import { AccountUser, AccountUsers, UserAddition, UserChange } from './users.ts'

/** Every schema of the account API by the name that the reference gives it. */
export const ACCOUNT_SCHEMAS = {
  LoginBody,
  SessionAnswer,
  SignedInUser,
  AccountUsers,
  AccountUser,
  UserAddition,
  UserChange,
  AccountDomains,
  AccountDomain,
  DomainAddition,
  DomainChange,
  NewDomainKeys,
  RotatedKey,
  WebhookEndpoints,
  WebhookEndpoint,
  EndpointAddition,
  NewEndpoint,
  EndpointChange,
  EndpointAttempt,
  RotatedSecret,
  DeliveryPage,
  Delivery,
  IdentificationList,
  IdentificationDetail,
  IdentificationVersion,
  PendingEvent,
  EntitySummary,
  EntityGraph,
  EntityDay,
  LinkedValue,
  Overview,
  OverviewBucket,
  OverviewTrend,
  OverviewScore,
  OverviewValues,
  OverviewValue,
  PatternFindings,
  PatternFinding,
  PatternFindingDetail,
  PatternValue,
  ErasureBody,
  ErasureAnswer,
  DomainRules,
  SignalRule,
  OwnWeights,
  RulesVersion,
  RulesSaving,
  RulesChoice,
  BackTestStart,
  BackTest,
  BackTestReport,
  LatestBackTest,
  AccountFeeds,
  AccountFeed,
  FeedChoice,
  SystemHealth,
  HealthCheck,
  IngestMinute,
  AuditPage,
  AuditRecord,
} as const satisfies Record<string, z.ZodType>
