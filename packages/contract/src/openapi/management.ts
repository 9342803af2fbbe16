import { z } from 'zod'
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponseObject,
  ZodOpenApiResponsesObject,
} from 'zod-openapi'
import { DomainProfile, HealthAnswer } from '../answers.ts'
import { type Deployment, headerName, serversOf } from './deployment.ts'
import {
  type Examples,
  errorContent,
  JSON_UTF8_TYPE,
  json,
  PROXY_ERRORS,
  parameter,
  RETRY_AFTER,
  ROUTE_NOT_FOUND,
} from './responses.ts'

export const MANAGEMENT_TAG = {
  name: 'Management',
  description:
    'The account of a domain. By default 15 requests a minute from an address; one more blocks it for ten minutes.',
}

export const HEALTH_TAG = { name: 'Health', description: 'Is the process up?' }

export const managementPaths = (deployment: Deployment): ZodOpenApiPathsObject => ({
  '/v1/profile': { get: getDomainProfile(deployment) },
})

export const healthPaths = (deployment: Deployment): ZodOpenApiPathsObject => ({
  '/health': { get: getHealth(deployment) },
})

export const MANAGEMENT_UNAUTHORIZED: ZodOpenApiResponseObject = {
  id: 'ManagementUnauthorized',
  description:
    'The domain and its Secret Key do not belong together, one of them is missing, or the domain is switched off. There is neither a body nor a `Content-Type`.',
}

/** Answers that every Management request can get. */
export const MANAGEMENT_ERRORS = {
  401: MANAGEMENT_UNAUTHORIZED,
  404: ROUTE_NOT_FOUND,
  429: {
    id: 'ManagementRateLimited',
    description:
      'The address made more requests than `MANAGEMENT_LIMIT_PER_MINUTE` allows (15) and is blocked for `MANAGEMENT_BLOCK_MINUTES` (10). Requests meanwhile are refused, too, and do not prolong the block. `Retry-After` says when it ends: leave it alone until then.',
    headers: RETRY_AFTER,
    content: errorContent(JSON_UTF8_TYPE, 'too many requests'),
  },
  503: {
    id: 'ServerBusy',
    description: 'The server has reached its limit of concurrent requests. Try again after a growing pause.',
    content: errorContent(JSON_UTF8_TYPE, 'server is busy'),
  },
  ...PROXY_ERRORS,
} satisfies ZodOpenApiResponsesObject

/** The header and the Bearer token together. */
export const MANAGEMENT_CREDENTIALS = [{ secretKey: [], domainHeader: [] }]

export const domainHeader = (deployment: Deployment) =>
  z.object({
    [headerName(deployment, 'Domain')]: parameter(
      z.string().min(1).max(253),
      'The registered domain, letter for letter as `inkling domain list` shows it.',
      'brewline.example',
    ),
  })

const PROFILE: DomainProfile = {
  Domain: 'brewline.example',
  Weight: 47_310,
  Callback: 'https://api.brewline.example/inkling',
  PublicKey: '****************************41e6',
  Secret: '****************************5686',
  CreatedAt: '2026-03-02T07:45:10Z',
}

export const PROFILES: Examples = {
  profile: { summary: 'A domain with a callback', value: PROFILE },
  overVolume: {
    summary: 'Volume used up, no callback',
    value: { ...PROFILE, Weight: -95, Callback: '' } satisfies DomainProfile,
  },
}

const getDomainProfile = (deployment: Deployment): ZodOpenApiOperationObject => ({
  operationId: 'getDomainProfile',
  summary: 'Get the domain profile',
  description:
    'A domain with its masked keys and what is left of its volume. An identification by the agent takes one from `Weight`; visits without JavaScript and requests to an API take nothing.',
  tags: [MANAGEMENT_TAG.name],
  servers: serversOf(deployment, 'management'),
  security: MANAGEMENT_CREDENTIALS,
  requestParams: { header: domainHeader(deployment) },
  responses: {
    ...MANAGEMENT_ERRORS,
    200: { description: 'The profile.', content: json(DomainProfile, PROFILES, JSON_UTF8_TYPE) },
  },
})

const getHealth = (deployment: Deployment): ZodOpenApiOperationObject => ({
  operationId: 'getHealth',
  summary: 'Check that the process is up',
  description:
    'Does not check the database; `GET /ready` does. It works on every host of the service and is not rate limited.',
  tags: [HEALTH_TAG.name],
  servers: serversOf(deployment, 'history', 'management'),
  security: [],
  responses: {
    200: {
      description: 'It is up.',
      content: json(HealthAnswer, { ok: { summary: 'Up', value: { status: 'ok' } } }),
    },
    404: ROUTE_NOT_FOUND,
    ...PROXY_ERRORS,
  },
})
