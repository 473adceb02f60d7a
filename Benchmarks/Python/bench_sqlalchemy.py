"""SQLAlchemy's ORM on the same table: PROGRAM WORKLOAD ROWS FILE, one line of JSON.

The only peer with an identity map and a unit of work that is trusted in production.
"""
import json
import sys
import time

from sqlalchemy import create_engine, event, select, text, Boolean, Float, Integer, LargeBinary, String
from sqlalchemy.orm import DeclarativeBase, Session, mapped_column


class Base(DeclarativeBase):
    pass


class Item(Base):
    __tablename__ = "Item"
    key = mapped_column("copal_id", Integer, primary_key=True)
    version = mapped_column("copal_version", Integer, nullable=False)
    name = mapped_column(String)
    note = mapped_column(String, nullable=True)
    count = mapped_column(Integer, index=True)
    ratio = mapped_column(Float)
    price = mapped_column(String)
    created = mapped_column(Float)
    flag = mapped_column(Integer)
    color = mapped_column(LargeBinary, nullable=True)
    __mapper_args__ = {"version_id_col": version}


MASK = (1 << 64) - 1


def split_mix(seed):
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def make(rows):
    """The rows of BenchKit's Row.make, draw by draw."""
    result = []
    for index in range(rows):
        random = split_mix(index + 0x5EED)
        draw = lambda: next(random)
        letters = lambda count: "".join(chr(97 + draw() % 26) for _ in range(count))
        name = letters(12 + draw() % 9)
        note = letters(40) if draw() % 2 == 0 else None
        cents = draw() % 1_000_000
        result.append(dict(
            name=name, note=note, count=draw() % 1000, ratio=(draw() % 1_000_000) / 1_000_003,
            price=f"{cents // 100}.{cents % 100:02}", created=draw() % 800_000_000 + 0.25,
            flag=1 if draw() % 3 == 0 else 0,
            color=bytes(draw() & 0xFF for _ in range(21 + draw() % 16))))
    return result


def engine_of(file):
    engine = create_engine(f"sqlite:///{file}")

    @event.listens_for(engine, "connect")
    def prepare(connection, _):
        connection.execute("PRAGMA synchronous=NORMAL")

    return engine


def touch(items):
    total = 0
    for item in items:
        total += len(item.name) + (len(item.note) if item.note else 0) + item.count
        total += int(item.ratio) + len(item.price) + int(item.created) + item.flag
        total += len(item.color or b"")
    return total & MASK


def work(workload, rows, file):
    if workload == "insert":
        data = make(rows)

        def insert():
            engine = engine_of(file)
            with engine.connect() as connection:
                connection.execute(text("PRAGMA journal_mode=WAL"))
            Base.metadata.create_all(engine)
            with Session(engine) as session:
                session.add_all([Item(**row) for row in data])
                session.commit()
            return rows
        return insert
    engine = engine_of(file)
    step = 7919
    keys = [i * step % rows + 1 for i in range(min(10_000, rows))]

    def fetch_all():
        with Session(engine) as session:
            return touch(session.scalars(select(Item)).all())

    def fetch_one():
        with Session(engine) as session:
            return sum(item.count for item in session.scalars(select(Item)).all())

    def ids():
        with Session(engine) as session:
            return len(session.scalars(select(Item.key)).all())

    def get():
        with Session(engine) as session:
            return touch([session.get(Item, key) for key in keys])

    def filtered():
        total = 0
        with Session(engine) as session:
            for number in range(1000):
                total += touch(session.scalars(
                    select(Item).where(Item.count == number, Item.ratio >= 0.1)
                    .order_by(Item.name).limit(50)).all())
        return total

    def update():
        with Session(engine) as session:
            items = session.scalars(select(Item).where(Item.count < 100)).all()
            for item in items:
                item.ratio += 1
                item.name = "changed name"
            session.commit()
            return len(items)

    def delete():
        with Session(engine) as session:
            items = session.scalars(select(Item).where(Item.count < 100)).all()
            for item in items:
                session.delete(item)
            session.commit()
            return len(items)

    def reopen():
        for _ in range(200):
            one = engine_of(file)
            with Session(one) as session:
                touch(session.scalars(select(Item).limit(1)).all())
            one.dispose()
        return 200

    return dict(fetchAll=fetch_all, fetchOne=fetch_one, ids=ids, get=get, getReading=get,
                filter=filtered, update=update, delete=delete, reopen=reopen)[workload]


def main():
    workload, rows, file = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    run = work(workload, rows, file)
    wall, cpu = time.perf_counter(), time.process_time()
    run()
    print(json.dumps(dict(
        cpuMilliseconds=(time.process_time() - cpu) * 1000,
        wallMilliseconds=(time.perf_counter() - wall) * 1000, peakKilobytes=0, checksum=0)))


main()
