import type { LegalSection } from './LegalPage.tsx'

/** The sections of /terms. */
export const termsOfService: readonly LegalSection[] = [
  {
    id: 'acceptance-of-terms',
    title: 'Acceptance of Terms',
    text: [
      'By using Meridian you accept these terms. If you do not accept them, please do not use the site. To place an order you must be old enough to enter into a contract where you live.',
      'Meridian is a marketplace. The medications that you order here are dispensed and shipped by licensed partner pharmacies. What the site says about a medication is information; it is not medical advice and does not replace a conversation with your doctor or pharmacist.',
    ],
  },
  {
    id: 'prescription-confirmations',
    title: 'Prescription Confirmations',
    text: [
      'When you order a prescription medication you confirm that:',
      [
        'you hold a valid prescription for it, issued by a licensed prescriber;',
        'the prescription is yours, or you are entitled to order for the person whom it names;',
        'the prescription and everything else that you tell us is complete, accurate and unaltered;',
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
      'We and our partner pharmacies may refuse or cancel any order. Reasons include a prescription that cannot be verified, a medication that is not available, a destination whose law does not allow the import, or signs of fraud or misuse.',
      'If an order that you have paid for is cancelled before it is shipped, we refund it in full.',
    ],
  },
  {
    id: 'pricing-and-payment',
    title: 'Pricing and Payment',
    text: [
      'All prices are in US dollars (USD). The price of an order is the one shown at checkout when you place it. Prices and availability may change at any time, but not for an order that has been accepted.',
      'You pay by credit or debit card. Your bank may charge for converting the currency. Duties and taxes that your country levies on imports are yours to pay.',
    ],
  },
  {
    id: 'shipping-and-delivery',
    title: 'Shipping and Delivery',
    text: [
      'Delivery times are estimates, not guarantees; customs and carriers may cause delays. The risk of loss passes to you on delivery to the carrier.',
      'You are responsible for a complete and correct address, and for being allowed to import what you order.',
    ],
  },
  {
    id: 'returns-and-refunds',
    title: 'Returns and Refunds',
    text: [
      'For safety reasons medications cannot be returned. We give refunds for unshipped orders and for significant errors, such as a wrong or damaged item.',
      'Please contact support within 48 hours of delivery if something is wrong with your order. Refunds go to the card that you paid with.',
    ],
  },
  {
    id: 'limitation-of-liability',
    title: 'Limitation of Liability',
    text: [
      'As far as the law allows, Meridian is not liable for indirect or consequential damage that arises from the use of this site or of products ordered through it, and our liability for an order is limited to what you paid for it.',
      'Nothing in these terms limits a liability that the law does not allow to be limited, or takes away rights that you have as a consumer.',
    ],
  },
]
