import type { BrowserContextOptions } from 'playwright-core'

export interface VisitToCapture {
  /** File name of the body. */
  name: string
  browser: 'chromium' | 'firefox'
  context: BrowserContextOptions
  /** Path and query of the page. */
  page: string
}

const desktop = (width: number, height: number) => ({
  viewport: { width, height },
  screen: { width, height },
})

/** A few browsers in many variants: body sizes, traffic sources, languages and time zones. */
export const VISITS_TO_CAPTURE: readonly VisitToCapture[] = [
  {
    name: 'chromium-search-ad',
    browser: 'chromium',
    context: { ...desktop(1920, 1080), locale: 'en-US', timezoneId: 'America/New_York' },
    page: '/sale?gclid=Cj0KCQjwmuiTBhDoARIsAPiv6L9&utm_source=google&utm_medium=cpc&utm_campaign=spring',
  },
  {
    name: 'chromium-german',
    browser: 'chromium',
    context: { ...desktop(1536, 864), locale: 'de-DE', timezoneId: 'Europe/Berlin', deviceScaleFactor: 1.25 },
    page: '/de/produkte/12345-laufschuh-herren?farbe=blau',
  },
  {
    name: 'chromium-phone',
    browser: 'chromium',
    context: {
      userAgent:
        'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile Safari/537.36',
      viewport: { width: 412, height: 839 },
      screen: { width: 412, height: 915 },
      deviceScaleFactor: 2.625,
      isMobile: true,
      hasTouch: true,
      locale: 'en-IN',
      timezoneId: 'Asia/Kolkata',
    },
    page: '/app?utm_source=instagram&utm_medium=paid_social&utm_campaign=launch',
  },
  {
    name: 'chromium-dark',
    browser: 'chromium',
    context: {
      ...desktop(2560, 1440),
      locale: 'pt-BR',
      timezoneId: 'America/Sao_Paulo',
      colorScheme: 'dark',
    },
    page: '/',
  },
  {
    name: 'firefox-newsletter',
    browser: 'firefox',
    context: { ...desktop(1920, 1080), locale: 'fr-FR', timezoneId: 'Europe/Paris' },
    page: '/blog/how-we-test-shoes?utm_source=newsletter&utm_medium=email&utm_campaign=april',
  },
  {
    name: 'firefox-direct',
    browser: 'firefox',
    context: { ...desktop(1366, 768), locale: 'en-GB', timezoneId: 'Europe/London', reducedMotion: 'reduce' },
    page: '/signup',
  },
]
