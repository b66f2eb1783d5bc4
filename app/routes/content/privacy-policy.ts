import type { LegalSection } from './LegalPage.tsx'

/** The sections of /privacy. */
export const privacyPolicy: readonly LegalSection[] = [
  {
    id: 'information-we-collect',
    title: 'Information We Collect',
    text: [
      'We collect what we need to run the marketplace and to fill orders lawfully:',
      [
        'Account: your name, your email address and a password, which is stored only as a one-way hash.',
        'Profile, if you provide it: gender, date of birth, weight, phone numbers, current medications and allergies.',
        'Addresses: where your orders are shipped to, and your billing address.',
        'Documents you upload: prescriptions and an ID document.',
        'Orders: what you ordered, its price, where it was sent, and a payment reference. The payment provider handles your card; we don’t store its number.',
        'Messages you send us.',
        'Technical records: the time, the page’s address without search terms, and the outcome of each request. To prevent misuse, we count form submissions by network address, which we store only as a one-way hash and only for as long as the limit applies.',
      ],
      'We set only the cookies that the site needs: to keep you signed in, to recognize a browser where you signed in before, to keep your cart, to remember the light or dark theme, and to show you a one-time message. Your browser also stores a copy of your cart and your theme. There are no advertising or tracking cookies.',
    ],
  },
  {
    id: 'how-we-use-your-information',
    title: 'How We Use Your Information',
    text: [
      'We use your information to:',
      [
        'process, ship and support your orders;',
        'have your prescriptions verified by a licensed partner pharmacy;',
        'tell you about your orders, your prescriptions and your account;',
        'answer your messages;',
        'prevent fraud and misuse, and meet the legal duties of a pharmacy marketplace.',
      ],
      'We do not sell personal information, and we do not use health information for advertising.',
    ],
  },
  {
    id: 'data-security',
    title: 'Data Security',
    text: [
      'Connections to this site are encrypted. Health details, addresses, phone numbers, prescriptions and ID documents are also encrypted at rest. Only people whose work requires it can see them, and every access to health information is recorded.',
      'No system is perfectly secure. If a breach affects your information, we will notify you and the authorities as the law requires.',
    ],
  },
  {
    id: 'information-sharing',
    title: 'Information Sharing',
    text: [
      'We share only what each recipient needs:',
      [
        'Partner pharmacies: your prescription, and the details needed to verify, dispense and ship your order.',
        'The payment provider: what it needs to charge your card or to refund you.',
        'Carriers: your name, address and phone number, to deliver your order.',
        'Service providers that store data or send email for us, under contracts that bind them to this policy.',
        'Authorities, when the law requires it.',
      ],
    ],
  },
  {
    id: 'your-rights',
    title: 'Your Rights',
    text: [
      'You may ask us to:',
      [
        'give you access to the personal information we hold about you, and a copy of it;',
        'correct what is wrong; most of it you can change yourself in your profile;',
        'delete your account and your information;',
        'restrict how we use your information, or stop a use you object to.',
      ],
      'The law requires pharmacies and marketplaces to keep certain order records. We keep only those, and only for as long as required. If we shipped you prescription medicines, they include the prescription and what we shipped on it, even after you delete your account. You may also complain to the data protection authority where you live.',
    ],
  },
]
