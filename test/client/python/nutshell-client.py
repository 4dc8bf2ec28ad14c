"""Nutshell's Blink wallet, as released, against Sluice. Argument: the addresses, keys and invoices of the test, as JSON. Prints its results."""

import asyncio
import json
import os
import sys
import tempfile

given = json.loads(sys.argv[1])
os.environ["MINT_BLINK_KEY"] = given["alice"]["apiKey"]
os.environ["CASHU_DIR"] = tempfile.mkdtemp()

import httpx  # noqa: E402
from loguru import logger  # noqa: E402

logger.remove()

from cashu.core.base import Amount, MeltQuote, MeltQuoteState, Unit  # noqa: E402
from cashu.core.models import PostMeltQuoteRequest  # noqa: E402
from cashu.lightning.blink import BlinkWallet  # noqa: E402

# Its releases have the address fixed.
BlinkWallet.endpoint = given["url"]
PAY = "mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status } }"


async def bob_pays(request):
    async with httpx.AsyncClient() as client:
        variables = {"input": {"walletId": given["bob"]["walletId"], "paymentRequest": request}}
        answer = await client.post(given["url"], json={"query": PAY, "variables": variables}, headers={"X-API-KEY": given["bob"]["apiKey"]})
        return answer.json()["data"]["lnInvoicePaymentSend"]["status"]


async def melt(wallet, request):
    quote = await wallet.get_payment_quote(PostMeltQuoteRequest(unit="sat", request=request))
    order = MeltQuote(
        quote="q",
        method="bolt11",
        request=request,
        checking_id=quote.checking_id,
        unit="sat",
        amount=quote.amount.amount,
        fee_reserve=quote.fee.amount,
        state=MeltQuoteState.unpaid,
    )
    return quote, await wallet.pay_invoice(order, quote.fee.amount * 1000)


async def main():
    wallet = BlinkWallet(unit=Unit.sat)
    before = await wallet.status()
    invoice = await wallet.create_invoice(Amount(Unit.sat, 21), memo="mint")
    unpaid = (await wallet.get_invoice_status(invoice.checking_id)).result
    paid_by_bob = await bob_pays(invoice.payment_request)
    quote, paid = await melt(wallet, given["outside"])
    unknown = await wallet.get_payment_status(given["unknown"])
    failed_quote, failed = await melt(wallet, given["unroutable"])
    again = await wallet.get_payment_status(given["outside"])
    failure = await wallet.get_payment_status(given["unroutable"])
    results = {
        "balance": [before.error_message, before.balance.amount],
        "invoice": [str(unpaid), paid_by_bob, str((await wallet.get_invoice_status(invoice.checking_id)).result)],
        "quote": [quote.amount.amount, quote.fee.amount],
        "paid": [str(paid.result), paid.fee.amount, paid.preimage == given["preimage"], str(again.result)],
        "unknown": str(unknown.result),
        "failed": [failed_quote.amount.amount, str(failed.result), failed.error_message, str(failure.result)],
    }
    await wallet.client.aclose()
    print(json.dumps(results))


asyncio.run(main())
