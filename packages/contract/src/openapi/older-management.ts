import {
  content,
  described,
  errorContent,
  JSON_TYPE,
  JSON_UTF8_TYPE,
  json,
  pathParameter,
} from './content.ts'
import type { Parameter } from './document.ts'
import { PROFILES } from './examples/management-bodies.ts'
import { LEGACY_SEARCH_RESPONSES, legacySearchParameters } from './legacy-search.ts'
import { MANAGEMENT_ERRORS } from './management.ts'
import { type Form, keyParameter, OLDER, olderOperation } from './older-form.ts'
import type { Deployment, Paths } from './surface.ts'

const domainAndSecret = (): Parameter[] => [
  pathParameter(
    'domain',
    { type: 'string', minLength: 1, maxLength: 253 },
    'Registered domain, matched exactly.',
    'example.com',
  ),
  keyParameter('secret', 'Secret Key of the domain.'),
]

const CALLBACK = 'https://api.example.com/hooks/identification'

/** The previous form of the Management API: domain and secret in the path. */
export function olderManagementPaths(deployment: Deployment): Paths {
  const form = (form: Form) => olderOperation(deployment, 'management', MANAGEMENT_ERRORS, form)
  return {
    '/{domain}:{secret}/profile': {
      get: form({
        operationId: 'olderGetDomainProfile',
        summary: 'Get the domain profile',
        description: `${OLDER} \`getDomainProfile\`.`,
        parameters: domainAndSecret(),
        responses: { 200: described('The profile.', json('DomainProfile', PROFILES, JSON_UTF8_TYPE)) },
      }),
    },
    '/{domain}:{secret}/callback': {
      post: form({
        operationId: 'olderSetCallback',
        summary: 'Set the webhook URL',
        description: `Creates or replaces the one endpoint that is the callback of the domain, enabled, with a signing secret of its own that a replaced URL keeps. The profile shows its URL as \`Callback\`; other endpoints stay as they are.`,
        parameters: domainAndSecret(),
        requestBody: {
          required: true,
          description: 'The bare HTTPS URL, not JSON.',
          content: content(
            'text/plain',
            { type: 'string', format: 'uri' },
            {
              url: { summary: 'A URL', value: CALLBACK },
            },
          ),
        },
        responses: {
          200: described(
            'The URL is set.',
            json(
              'CallbackAnswer',
              { set: { summary: 'The URL', value: { callback: CALLBACK } } },
              JSON_UTF8_TYPE,
            ),
          ),
          400: described(
            'The URL cannot be used.',
            errorContent(
              JSON_TYPE,
              'the webhook URL must use https',
              'the webhook URL is not a URL',
              'the webhook URL must not carry credentials',
              'the webhook URL is too long',
            ),
          ),
        },
      }),
    },
    '/{domain}:{secret}/history/{type}/{value}': {
      get: form({
        operationId: 'olderSearchManagementHistory',
        summary: 'Search history, Management',
        description: `${OLDER} \`searchHistory\`. The deprecated search under another path, without its headers.`,
        parameters: [...domainAndSecret(), ...legacySearchParameters()],
        responses: LEGACY_SEARCH_RESPONSES,
      }),
    },
  }
}
