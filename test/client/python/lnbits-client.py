"""LNbits' Blink wallet, as released, against Sluice. Argument: the addresses, keys and invoices of the test, as JSON. Prints its results."""

import asyncio
import json
import os
import sys
import tempfile

given = json.loads(sys.argv[1])
os.environ["BLINK_API_ENDPOINT"] = given["url"]
os.environ["BLINK_WS_ENDPOINT"] = given["url"].replace("http", "ws", 1)
os.environ["BLINK_TOKEN"] = given["alice"]["apiKey"]
os.environ["LNBITS_DATA_FOLDER"] = tempfile.mkdtemp()

import httpx  # noqa: E402
from loguru import logger  # noqa: E402

logger.remove()

from lnbits.wallets.blink import BlinkWallet  # noqa: E402

PAY = "mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status } }"


async def bob_pays(request):
    async with httpx.AsyncClient() as client:
        variables = {"input": {"walletId": given["bob"]["walletId"], "paymentRequest": request}}
        answer = await client.post(given["url"], json={"query": PAY, "variables": variables}, headers={"X-API-KEY": given["bob"]["apiKey"]})
        return answer.json()["data"]["lnInvoicePaymentSend"]["status"]


async def first_of_stream(wallet):
    """The protocol does not report when a subscription runs: invoices are paid until the wallet notices one."""
    event = asyncio.ensure_future(anext(wallet.paid_invoices_stream()))
    paid = []
    while not event.done():
        invoice = await wallet.create_invoice(3, "stream")
        paid.append(invoice.checking_id)
        await bob_pays(invoice.payment_request)
        await asyncio.wait([event], timeout=0.5)
    return event.result() in paid


async def main():
    wallet = BlinkWallet()
    before = await wallet.status()
    invoice = await wallet.create_invoice(21, "tea")
    open_invoice = await wallet.create_invoice(22, description_hash=bytes.fromhex("ab" * 32))
    hears = await first_of_stream(wallet)
    paid_by_bob = await bob_pays(invoice.payment_request)
    paid = await wallet.pay_invoice(given["outside"], 20_000)
    failed = await wallet.pay_invoice(given["unroutable"], 20_000)
    unprobed = await wallet.pay_invoice(given["expensive"], 1_000)
    results = {
        "balanceMsat": before.balance_msat,
        "invoice": [invoice.ok, paid_by_bob, (await wallet.get_invoice_status(invoice.checking_id)).paid],
        "openInvoice": (await wallet.get_invoice_status(open_invoice.checking_id)).paid,
        "hearsPayments": hears,
        "paid": [paid.ok, paid.fee_msat, paid.preimage == given["preimage"], (await wallet.get_payment_status(paid.checking_id)).paid],
        "failed": [failed.ok, failed.error_message],
        "aboveFeeLimit": [unprobed.ok, unprobed.error_message],
    }
    await wallet.cleanup()
    print(json.dumps(results))


asyncio.run(main())
