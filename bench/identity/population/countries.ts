/** Where visitors of a shop in Europe come from, most first: zone, offset in winter, languages by share. */
export interface Country {
  code: string
  zone: string
  offsetMinutes: number
  languages: readonly (readonly [languages: readonly string[], weight: number])[]
}

const country = (
  code: string,
  zone: string,
  offsetMinutes: number,
  ...languages: (readonly [string, number])[]
): Country => ({
  code,
  zone,
  offsetMinutes,
  languages: languages.map(([list, weight]) => [list.split(','), weight] as const),
})

export const COUNTRIES: readonly Country[] = [
  country(
    'DE',
    'Europe/Berlin',
    60,
    ['de-DE,de,en-US,en', 5],
    ['de-DE,de', 2],
    ['en-US,en', 1],
    ['de', 1],
    ['tr-TR,de', 0.3],
  ),
  country('GB', 'Europe/London', 0, ['en-GB,en-US,en', 5], ['en-GB', 2], ['en-US,en', 1]),
  country('FR', 'Europe/Paris', 60, ['fr-FR,fr,en-US,en', 5], ['fr-FR', 2], ['en-US,en', 0.7]),
  country('US', 'America/New_York', -300, ['en-US,en', 6], ['en-US', 2], ['es-US,es,en', 0.7]),
  country('IT', 'Europe/Rome', 60, ['it-IT,it,en-US,en', 5], ['it-IT', 2]),
  country('ES', 'Europe/Madrid', 60, ['es-ES,es,en', 5], ['es-ES', 2], ['ca-ES,es', 0.7]),
  country('PL', 'Europe/Warsaw', 60, ['pl-PL,pl,en-US,en', 5], ['pl-PL', 2]),
  country('US', 'America/Los_Angeles', -480, ['en-US,en', 6], ['en-US', 2], ['zh-CN,en', 0.5]),
  country('NL', 'Europe/Amsterdam', 60, ['nl-NL,nl,en-US,en', 5], ['en-US,en', 2]),
  country('IN', 'Asia/Calcutta', 330, ['en-IN,en-GB,en', 3], ['en-US,en', 3], ['hi-IN,en', 1]),
  country('US', 'America/Chicago', -360, ['en-US,en', 6], ['en-US', 2]),
  country('TR', 'Europe/Istanbul', 180, ['tr-TR,tr,en-US,en', 5], ['tr-TR', 2]),
  country('BR', 'America/Sao_Paulo', -180, ['pt-BR,pt,en-US,en', 5], ['pt-BR', 2]),
  country('AT', 'Europe/Vienna', 60, ['de-AT,de,en', 3], ['de-DE,de', 2]),
  country('CH', 'Europe/Zurich', 60, ['de-CH,de,fr', 3], ['fr-CH,fr', 1], ['en-US,en', 1]),
  country('SE', 'Europe/Stockholm', 60, ['sv-SE,sv,en-US,en', 4], ['en-US,en', 1]),
  country('BE', 'Europe/Brussels', 60, ['nl-BE,nl,fr', 2], ['fr-BE,fr', 2]),
  country('CZ', 'Europe/Prague', 60, ['cs-CZ,cs,en', 3], ['en-US,en', 0.5]),
  country('PT', 'Europe/Lisbon', 0, ['pt-PT,pt,en', 3]),
  country('JP', 'Asia/Tokyo', 540, ['ja-JP,ja,en-US,en', 3], ['ja', 1]),
  country('RO', 'Europe/Bucharest', 120, ['ro-RO,ro,en-US,en', 3], ['en-US,en', 1]),
  country('GR', 'Europe/Athens', 120, ['el-GR,el,en', 3]),
  country('CA', 'America/Toronto', -300, ['en-CA,en', 3], ['fr-CA,fr', 1]),
  country('AU', 'Australia/Sydney', 660, ['en-AU,en', 3], ['en-US,en', 1]),
  country('UA', 'Europe/Kiev', 120, ['uk-UA,uk,ru,en', 3], ['ru-UA,ru', 1]),
  country('HU', 'Europe/Budapest', 60, ['hu-HU,hu,en', 3]),
  country('DK', 'Europe/Copenhagen', 60, ['da-DK,da,en', 3]),
  country('MX', 'America/Mexico_City', -360, ['es-MX,es,en', 3]),
]
