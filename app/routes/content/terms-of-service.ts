import type { LegalSection } from './LegalPage.tsx'

/** The sections of /terms. */
export const termsOfService: readonly LegalSection[] = [
  {
    id: 'acceptance-of-terms',
    title: 'Acceptance of Terms',
    text: [
      'By using Meridian, you accept these terms. If you do not accept them, do not use the site. To place an order, you must be old enough to enter into a contract where you live.',
      'Meridian is a marketplace. Licensed partner pharmacies dispense and ship the medications you order here. Information about medications on this site is not medical advice and does not replace a conversation with your doctor or pharmacist.',
    ],
  },
  {
    id: 'prescription-confirmations',
    title: 'Prescription Confirmations',
    text: [
      'When you order a prescription medication, you confirm that:',
      [
        'you hold a valid prescription for it, issued by a licensed prescriber;',
        'the prescription is yours, or you are authorized to order for the person it names;',
        'the prescription and everything else you tell us are complete, accurate and unaltered;',
        'the partner pharmacy may contact the prescriber to verify it;',
        'you will use the medication as prescribed, and will not pass it on or resell it.',
      ],
      'No prescription item is processed or shipped before a pharmacy has verified the prescription.',
    ],
  },
  {
    id: 'order-processing',
    title: 'Order Processing',
    text: [
      'We and our partner pharmacies may refuse or cancel any order. Reasons include a prescription that cannot be verified, a medication that is unavailable, a destination that does not allow the import, or signs of fraud or misuse.',
      'If a paid order is cancelled before it ships, we refund it in full.',
    ],
  },
  {
    id: 'pricing-and-payment',
    title: 'Pricing and Payment',
    text: [
      'All prices are in US dollars (USD). The price of an order is the one shown at checkout when you place it. Prices and availability may change at any time, but not for an order that has been accepted.',
      'You pay by credit or debit card. Your bank may charge a currency conversion fee. You pay any import duties and taxes your country charges.',
    ],
  },
  {
    id: 'shipping-and-delivery',
    title: 'Shipping and Delivery',
    text: [
      'Delivery times are estimates, not guarantees; customs and carriers may cause delays. The risk of loss passes to you on delivery to the carrier.',
      'You are responsible for providing a complete and correct address, and for being allowed to import what you order.',
    ],
  },
  {
    id: 'returns-and-refunds',
    title: 'Returns and Refunds',
    text: [
      'For safety reasons, medications cannot be returned. We give refunds for unshipped orders and for significant errors, such as a wrong or damaged item.',
      'Contact support within 48 hours of delivery if something is wrong with your order. Refunds go to the card you paid with.',
    ],
  },
  {
    id: 'limitation-of-liability',
    title: 'Limitation of Liability',
    text: [
      'To the extent permitted by law, Meridian is not liable for indirect or consequential damages arising from the use of this site or of products ordered through it. Our liability for an order is limited to what you paid for it.',
      'Nothing in these terms limits liability where the law does not allow it, or takes away your rights as a consumer.',
    ],
  },
]
