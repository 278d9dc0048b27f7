#!/usr/bin/env python3
"""Writes the tool-choice cases of Benchmarks/Cases: lines as `ra-bench calls --cases` reads them.

shared.jsonl and apart.jsonl: 12 requests in three orders of three tools each; the names of the first share a beginning,
those of the second don't. values.jsonl: 36 requests whose answer is a value of an enumeration or a boolean.
"""
import json, pathlib

OUT = pathlib.Path(__file__).resolve().parent.parent / "Benchmarks" / "Cases"


def tool(name, description, **parameters):
    properties = {
        key: ({"type": value} if isinstance(value, str) else value) for key, value in parameters.items()
    }
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


def orders(kind, tools, requests):
    for turn in range(3):
        turned = tools[turn:] + tools[:turn]
        for number, (name, prompt) in enumerate(requests):
            yield {"id": f"{kind}_{turn}_{number}", "category": kind, "prompt": prompt, "tools": turned, "tool": name,
                   "answers": []}


SHARED = [
    tool("send_email", "Send an email to a person", to="string", text="string"),
    tool("send_money", "Pay an amount of money to a person", to="string", amount="number"),
    tool("send_flowers", "Have a florist deliver flowers to an address", address="string", kind="string"),
]
SHARED_REQUESTS = [
    ("send_email", "Write to Anna that the meeting is moved to Friday."),
    ("send_email", "Mail Tom my new phone number, 555 0199."),
    ("send_email", "Let the whole team know in writing that I am ill today."),
    ("send_email", "Answer Mrs. Lee's mail: we accept the offer."),
    ("send_money", "Pay Ben the 20 dollars I owe him."),
    ("send_money", "Transfer 150 euros to my landlord."),
    ("send_money", "Give Julia 12.50 for the pizza from my account."),
    ("send_money", "Settle the bill of 80 dollars with the plumber."),
    ("send_flowers", "Order a dozen red roses for 12 Garden Lane."),
    ("send_flowers", "I want tulips brought to my mother's house at 4 Mill Road."),
    ("send_flowers", "Surprise my wife with a bouquet at her office, 9 Station Street."),
    ("send_flowers", "Have lilies delivered to 33 Church Street."),
]

APART = [
    tool("play_song", "Play a song or an artist's music", title="string"),
    tool("translate", "Translate a text into another language", text="string", language="string"),
    tool("book_table", "Reserve a table in a restaurant", restaurant="string", persons="integer"),
]
APART_REQUESTS = [
    ("play_song", "Put on Bohemian Rhapsody."),
    ("play_song", "I'd like to hear something by Miles Davis."),
    ("play_song", "Start Yesterday by the Beatles, please."),
    ("play_song", "Let me listen to some jazz."),
    ("translate", "How do you say good morning in French?"),
    ("translate", "Put this sentence into German: the train is late."),
    ("translate", "What is the Spanish word for bread?"),
    ("translate", "I need 'thank you very much' in Japanese."),
    ("book_table", "Reserve a table for four at Luigi's."),
    ("book_table", "We are two and want to eat at the Blue Lobster."),
    ("book_table", "Get us seats for dinner at Chez Paul, six people."),
    ("book_table", "I need a place for eight at the Golden Dragon."),
]

LAMP = tool(
    "set_lamp", "Switch a lamp in the house and set its colour",
    room={"type": "string", "enum": ["kitchen", "bedroom", "bathroom", "living room"]},
    on={"type": "boolean", "description": "true switches the lamp on, false switches it off"},
    color={"type": "string", "enum": ["white", "red", "green", "blue"]})
LAMP_REQUESTS = [
    ("Turn the kitchen light red.", "kitchen", True, "red"),
    ("Make it green in the bedroom.", "bedroom", True, "green"),
    ("I want blue light in the bathroom.", "bathroom", True, "blue"),
    ("White light in the living room, please.", "living room", True, "white"),
    ("Let the lamp where I cook shine green.", "kitchen", True, "green"),
    ("Red light where I sleep, please.", "bedroom", True, "red"),
    ("Switch the bathroom lamp off.", "bathroom", False, None),
    ("No more light in the living room.", "living room", False, None),
    ("Put out the light in the kitchen.", "kitchen", False, None),
    ("I am going to sleep, bedroom lamp off.", "bedroom", False, None),
    ("Light up the living room in blue.", "living room", True, "blue"),
    ("The bathroom should be white.", "bathroom", True, "white"),
]

TICKET = tool(
    "file_ticket", "File a support ticket",
    priority={"type": "string", "enum": ["low", "normal", "high", "critical"]},
    department={"type": "string", "enum": ["billing", "shipping", "technical", "sales"]})
TICKET_REQUESTS = [
    ("I was charged twice for my order; this is of normal priority.", "normal", "billing"),
    ("My parcel never arrived. High priority!", "high", "shipping"),
    ("The app crashes at every start, this is critical.", "critical", "technical"),
    ("I'd like an offer for 50 licences, no hurry, low priority.", "low", "sales"),
    ("Low priority: the invoice shows my old address.", "low", "billing"),
    ("Critical: our server has been down since midnight.", "critical", "technical"),
    ("The package was delivered to the wrong house, normal priority.", "normal", "shipping"),
    ("High priority: I want to buy the enterprise plan today.", "high", "sales"),
    ("The refund for my payment is missing; high priority.", "high", "billing"),
    ("When will my delivery come? Low priority.", "low", "shipping"),
    ("The login page shows an error; normal priority.", "normal", "technical"),
    ("Normal priority: please tell me your prices for schools.", "normal", "sales"),
]


COFFEE = tool(
    "order_coffee", "Order a coffee at the counter",
    size={"type": "string", "enum": ["small", "medium", "large"]},
    milk={"type": "string", "enum": ["none", "cow", "oat", "soy"]},
    to_go={"type": "boolean", "description": "true when it is taken along, false when it is drunk here"},
)
COFFEE_REQUESTS = [
    ("A large coffee with oat milk to go, please.", "large", "oat", True),
    ("Small and black, I'll drink it here.", "small", "none", False),
    ("Medium with soy milk, for here.", "medium", "soy", False),
    ("I'm in a hurry: a small one with cow's milk to take away.", "small", "cow", True),
    ("The biggest you have, no milk, to go.", "large", "none", True),
    ("A medium coffee with normal milk, I'm sitting at table three.", "medium", "cow", False),
    ("Your smallest cup with oat milk, to take along.", "small", "oat", True),
    ("Large, soy milk, and I'm staying.", "large", "soy", False),
    ("A medium black coffee in a paper cup for the train.", "medium", "none", True),
    ("With milk from a cow, large, to drink here.", "large", "cow", False),
    ("Soy milk in a small coffee, wrapped up to go.", "small", "soy", True),
    ("I'd like to sit down with a medium oat milk coffee.", "medium", "oat", False),
]


def chosen(category, tool, answers):
    """Cases of one tool: prompts with the accepted values of each argument."""
    name = tool["function"]["name"]
    for number, (prompt, arguments) in enumerate(answers):
        yield {"id": f"{category}_{number}", "category": "values", "prompt": prompt, "tools": [tool],
               "answers": [{name: arguments}]}


def values():
    colors = LAMP["function"]["parameters"]["properties"]["color"]["enum"]
    yield from chosen("lamp", LAMP, [
        (prompt, {"room": [room], "on": [on], "color": [color] if color else colors})
        for prompt, room, on, color in LAMP_REQUESTS])
    for category, one, requests in [("ticket", TICKET, TICKET_REQUESTS), ("coffee", COFFEE, COFFEE_REQUESTS)]:
        names = one["function"]["parameters"]["properties"]
        yield from chosen(category, one, [
            (prompt, {name: [value] for name, value in zip(names, values)}) for prompt, *values in requests])


def write(name, lines):
    OUT.mkdir(exist_ok=True)
    (OUT / name).write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


write("shared.jsonl", orders("shared", SHARED, SHARED_REQUESTS))
write("apart.jsonl", orders("apart", APART, APART_REQUESTS))
write("values.jsonl", values())
