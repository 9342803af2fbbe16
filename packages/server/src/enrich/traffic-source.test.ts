import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Arrival } from './traffic-source.ts'
import { trafficSource } from './traffic-source.ts'

const SITE = 'example.com'

const arrive = (query: string, referrer = '', more: Partial<Arrival> = {}) =>
  trafficSource({ landingUrl: `https://www.${SITE}/page${query}`, referrer, siteDomain: SITE, ...more })

describe('click IDs', () => {
  test.each([
    ['?gclid=a', 'Google Ads', 'Paid Search', 'gclid_present', 'gclid'],
    ['?gbraid=a', 'Google Ads', 'Paid Search', 'gclid_present', 'gbraid'],
    ['?wbraid=a', 'Google Ads', 'Paid Search', 'gclid_present', 'wbraid'],
    ['?msclkid=a', 'Microsoft Ads', 'Paid Search', 'msclkid_present', 'msclkid'],
    ['?ttclid=a', 'TikTok', 'Paid Social', 'ttclid_present', 'ttclid'],
    ['?fbclid=a&utm_source=Facebook', 'Meta', 'Paid Social', 'fbclid_present', 'fbclid'],
  ])('%s: %s, %s, %s', (query, channel, channelGroup, reason, clickIdType) => {
    expect(arrive(query)).toMatchObject({ channel, channelGroup, reason, clickIdType })
  })

  test('win over UTM and referrer, which are still stored', () => {
    expect(arrive('?gclid=a&utm_source=news&utm_medium=email', 'https://www.bing.com/')).toMatchObject({
      reason: 'gclid_present',
      utmSource: 'news',
      referrerDomain: 'bing.com',
    })
  })

  test('an empty one does not count', () => {
    expect(arrive('?gclid=&msclkid=%20')).toMatchObject({ reason: 'no_source_detected', clickIdType: '' })
  })

  test.each(['https://l.facebook.com/', 'https://www.instagram.com/x', 'android-app://com.facebook.katana/'])(
    'fbclid counts when %s sent the visitor',
    (referrer) => {
      expect(arrive('?fbclid=a', referrer).reason).toBe('fbclid_present')
    },
  )

  test('fbclid on a shared link does not count', () => {
    expect(arrive('?fbclid=a')).toMatchObject({ reason: 'no_source_detected', clickIdType: '' })
    expect(arrive('?fbclid=a', 'https://www.google.com/').reason).toBe('referrer_search_engine')
    expect(arrive('?fbclid=a&utm_source=newsletter').reason).toBe('utm_match')
  })
})

describe('UTM', () => {
  test.each([
    ['google', 'cpc', 'Google Ads', 'Paid Search'],
    ['google_ads', '', 'Google Ads', 'Paid Search'],
    ['google', 'organic', 'Organic Search', 'Organic'],
    ['google', 'email', 'Other', 'Other'],
    ['bing', 'ppc', 'Microsoft Ads', 'Paid Search'],
    ['facebook', 'paid_social', 'Meta', 'Paid Social'],
    ['ig', 'social', 'Meta', 'Social'],
    ['facebook.com', '', 'Meta', 'Social'],
    ['threads', '', 'Meta', 'Social'],
    ['facebook-ads', '', 'Meta', 'Paid Social'],
    ['downloads', '', 'Other', 'Other'],
    ['tiktok', 'cpm', 'TikTok', 'Paid Social'],
    ['tiktok', '', 'TikTok', 'Social'],
    ['linkedin', 'cpc', 'LinkedIn', 'Paid Social'],
    ['twitter', 'social', 'X', 'Social'],
    ['t.co', '', 'X', 'Social'],
    ['pinterest', 'paid', 'Pinterest', 'Paid Social'],
    ['newsletter', 'email', 'Other', 'Other'],
    ['partnersite', 'referral', 'Referral', 'Referral'],
    ['somewhere', 'cpc', 'Other', 'Paid Search'],
    ['somewhere', 'paid-social', 'Other', 'Paid Social'],
    ['reddit', 'social', 'Other', 'Social'],
  ])('source %j, medium %j: %s, %s', (source, medium, channel, channelGroup) => {
    const found = arrive(`?utm_source=${source}&utm_medium=${medium}`)
    expect(found).toMatchObject({ channel, channelGroup, reason: 'utm_match' })
  })

  test('source and medium are lowercased, the rest is kept as written', () => {
    const query =
      '?utm_source=GOOGLE&utm_medium=CPC&utm_campaign=Spring%20Sale&utm_content=A%2FB&utm_term=Shoes'
    expect(arrive(query)).toMatchObject({
      utmSource: 'google',
      utmMedium: 'cpc',
      utmCampaign: 'Spring Sale',
      utmContent: 'A/B',
      utmTerm: 'Shoes',
    })
  })

  test('the first of repeated parameters counts', () => {
    expect(arrive('?utm_source=one&utm_source=two').utmSource).toBe('one')
  })

  test('win over the referrer', () => {
    expect(arrive('?utm_source=news', 'https://www.google.com/')).toMatchObject({
      reason: 'utm_match',
      referrerDomain: 'google.com',
    })
  })

  test('a term or content alone is not a source', () => {
    expect(arrive('?utm_term=shoes&utm_content=a')).toMatchObject({
      reason: 'no_source_detected',
      utmTerm: 'shoes',
    })
  })
})

describe('referrers', () => {
  test.each([
    ['https://www.google.com/', 'google.com'],
    ['https://www.google.co.uk/search?q=x', 'google.co.uk'],
    ['https://www.bing.com/', 'bing.com'],
    ['https://duckduckgo.com/', 'duckduckgo.com'],
    ['https://yandex.ru/search/', 'yandex.ru'],
    ['https://uk.search.yahoo.com/', 'yahoo.com'],
    ['https://www.baidu.com/link', 'baidu.com'],
    ['https://search.naver.com/', 'naver.com'],
    ['android-app://com.google.android.googlequicksearchbox/', 'google.com'],
  ])('%s is a search engine', (referrer, referrerDomain) => {
    expect(arrive('', referrer)).toMatchObject({
      channel: 'Organic Search',
      channelGroup: 'Organic',
      reason: 'referrer_search_engine',
      referrerDomain,
    })
  })

  test.each([
    ['https://l.facebook.com/l.php?u=x', 'Meta', 'facebook.com'],
    ['https://l.instagram.com/', 'Meta', 'instagram.com'],
    ['https://www.tiktok.com/', 'TikTok', 'tiktok.com'],
    ['https://www.linkedin.com/feed/', 'LinkedIn', 'linkedin.com'],
    ['https://t.co/abc', 'X', 't.co'],
    ['https://www.pinterest.de/', 'Pinterest', 'pinterest.de'],
    ['https://old.reddit.com/r/x', 'Referral', 'reddit.com'],
    ['android-app://com.twitter.android/', 'X', 'x.com'],
  ])('%s is social, channel %s', (referrer, channel, referrerDomain) => {
    expect(arrive('', referrer)).toMatchObject({
      channel,
      channelGroup: 'Social',
      reason: 'referrer_social',
      referrerDomain,
    })
  })

  test.each([
    ['https://www.news.example.org/a', 'example.org'],
    ['https://mail.google.com/', 'google.com'],
    ['https://accounts.google.com/', 'google.com'],
    ['https://mail.yahoo.com/', 'yahoo.com'],
    ['https://google.com.evil.example/', 'evil.example'],
    ['https://notfacebook.com/', 'notfacebook.com'],
    ['https://someone.github.io/', 'someone.github.io'],
    ['http://192.0.2.7:8080/x', '192.0.2.7'],
    ['android-app://org.example.reader/', 'org.example.reader'],
    ['https://WWW.Partner.CO.UK./', 'partner.co.uk'],
  ])('%s is another site, %s', (referrer, referrerDomain) => {
    expect(arrive('', referrer)).toMatchObject({
      channel: 'Referral',
      channelGroup: 'Referral',
      reason: 'external_referrer',
      referrerDomain,
    })
  })

  test.each(['https://www.example.com/other', 'http://example.com', 'https://shop.example.com/'])(
    '%s is the site itself, so the visit is direct',
    (referrer) => {
      expect(arrive('', referrer)).toMatchObject({ reason: 'no_source_detected', referrerDomain: '' })
    },
  )

  test('the site itself is not a referrer, also when the key belongs to a subdomain or a bare name', () => {
    const own = (host: string, siteDomain: string) =>
      trafficSource({ landingUrl: `http://${host}/`, referrer: `http://${host}/a`, siteDomain }).reason
    expect(own('app.example.com', 'app.example.com')).toBe('no_source_detected')
    expect(own('localhost:3000', 'localhost')).toBe('no_source_detected')
    expect(own('127.0.0.1', '127.0.0.1')).toBe('no_source_detected')
  })

  test('two customers of one platform are two sites', () => {
    const source = trafficSource({
      landingUrl: 'https://mine.github.io/',
      referrer: 'https://theirs.github.io/',
      siteDomain: 'mine.github.io',
    })
    expect(source).toMatchObject({ reason: 'external_referrer', referrerDomain: 'theirs.github.io' })
  })
})

describe('the rest', () => {
  test('anything else is direct', () => {
    expect(arrive('')).toEqual({
      channel: 'Direct',
      channelGroup: 'Direct',
      reason: 'no_source_detected',
      referrerDomain: '',
      landingUrl: 'https://www.example.com/page',
      clickIdType: '',
      utmSource: '',
      utmMedium: '',
      utmCampaign: '',
      utmContent: '',
      utmTerm: '',
    })
  })

  test('a verified crawler is a search bot, whatever the link', () => {
    const source = arrive('?gclid=a&utm_source=x', 'https://www.google.com/', { crawlerName: 'GoogleBot' })
    expect(source).toMatchObject({
      channel: 'Search bot',
      channelGroup: 'Bot',
      reason: 'ip_crawler_detected',
      referrerDomain: 'GoogleBot',
    })
  })

  test('the landing page is kept as opened, without its fragment', () => {
    expect(arrive('?a=%C3%BC&b=1#part?utm_source=x')).toMatchObject({
      landingUrl: 'https://www.example.com/page?a=%C3%BC&b=1',
      utmSource: '',
    })
  })

  test('control characters and lone surrogates, which databases reject, are removed', () => {
    const source = arrive(`?utm_source=a%00b&utm_term=${'t'.repeat(255)}%F0%9F%98%80`)
    expect(source.utmSource).toBe('ab')
    expect(source.utmTerm.isWellFormed()).toBe(true)
    expect(arrive('?a=\u0000b').landingUrl).toBe('https://www.example.com/page?a=b')
  })

  test('a click ID counts even beyond the stored part of the URL', () => {
    expect(arrive(`?rest=${'r'.repeat(5_000)}&gclid=a`).reason).toBe('gclid_present')
  })

  test('long values are truncated', () => {
    const source = arrive(`?utm_campaign=${'c'.repeat(500)}&utm_source=x&rest=${'r'.repeat(9_000)}`)
    expect(source.utmCampaign).toBe('c'.repeat(256))
    expect(source.landingUrl).toHaveLength(2_048)
  })

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'about:blank',
    'not a url',
    'https://',
    '//x/?gclid=1',
  ])('%s is not a page and is not stored', (landingUrl) => {
    const source = trafficSource({ landingUrl, referrer: '', siteDomain: SITE })
    expect(source).toMatchObject({ landingUrl: '', clickIdType: '', channel: 'Direct' })
  })

  test('no input makes it throw', () => {
    const text = fc.oneof(
      fc.string(),
      fc.webUrl({ withQueryParameters: true }),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(text, text, text, (landingUrl, referrer, siteDomain) => {
        const source = trafficSource({ landingUrl, referrer, siteDomain })
        for (const value of Object.values(source)) expect(value).toBeTypeOf('string')
      }),
    )
  })
})
