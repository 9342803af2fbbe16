import type { z } from 'zod'
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
import { EntityDay, EntitySummary, LinkedValue } from './entities.ts'
import {
  IdentificationDetail,
  IdentificationList,
  IdentificationVersion,
  PendingEvent,
} from './identifications.ts'
import { ErasureAnswer, ErasureBody } from './privacy.ts'
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
  EntityDay,
  LinkedValue,
  ErasureBody,
  ErasureAnswer,
  AuditPage,
  AuditRecord,
} as const satisfies Record<string, z.ZodType>
