"""Small made-up files in the formats that the loaders read."""

from collections.abc import Mapping
from pathlib import Path

PLAIN = {
    "interactions.csv": "user,item,rating,time\nann,x,5,30\nann,y,3,20\nann,z,4,10\nbob,x,2,1\nbob,z,1,2\n",
    "users.csv": "user,gender,age,town\nbob,M,61,Oslo\nann,f,17,\n",
    "items.csv": 'item,title,genres\nx,"Storm, The (1999)",War|Drama\ny,Yes (2001),Comedy\nz,Zoo (1987),\n',
}
ML_1M = {
    "users.dat": "1::M::56::10::10001\n2::F::1::15::20002\n3::F::25::16::30003\n",
    "movies.dat": "7::Été à la mer, L' (1995)::Drama|Romance\n"
    "8::Two: The Return (1990)::Action\n9::Unseen (1991)::War\n",
    "ratings.dat": "1::7::5::1100000100\n1::8::3::1100000200\n"
    "2::7::4::1100000400\n2::8::1::1100000300\n3::8::2::1100000500\n",
}
ML_1M_SPLIT = {
    "users.dat": ML_1M["users.dat"],
    "movies.dat": ML_1M["movies.dat"],
    "colakg_train.txt": "0 1 0\n1 0\n2 2\n",
    "colakg_test.txt": "0 2\n1 1\n2 0\n",
    "colakg_user_map.txt": "3 0\n1 1\n2 2\n",
    "colakg_item_map.txt": "8 0\n7 1\n9 2\n",
}


def _movie(number: int, title: str, *genres: int) -> str:
    flags = "|".join(str(int(at in genres)) for at in range(19))
    return f"{number}|{title}|01-Jan-1995||http://example.org/{number}|{flags}\n"


ML_100K = {
    "u.data": "1002\t2001\t3\t1100000100\n1001\t2002\t3\t1100000300\n1002\t2002\t1\t1100000200\n",
    "u.user": "1001|23|M|technician|10001\n1002|46|F|writer|20002\n",
    "u.item": _movie(2001, "Low Tide (1996)", 5) + _movie(2002, "Café noir (1997)", 6, 10),
}
ATOMIC = {
    "user": "user_id:token\tage:token\tgender:token\toccupation:token\tzip_code:token\n"
    "1002\t46\tF\twriter\t1\n1001\t23\tM\tcook\t2\n",
    "item": "item_id:token\tmovie_title:token_seq\trelease_year:token\tclass:token_seq\n"
    "2001\tLow Tide\t1996\tComedy\n2002\tNoir\t1997\tCrime Film-Noir\n",
    "inter": "user_id:token\titem_id:token\trating:float\ttimestamp:float\n"
    "1002\t2001\t3\t1100000100\n1001\t2002\t3\t1100000300\n",
}
LASTFM = {
    "usersha1-artmbid-artname-plays.tsv": "aa\tm1\tThe Émigrés\t10\naa\t\tNo Id\t4\nbb\tm1\tThe Émigrés\t7\n"
    "bb\t\tNo Id\t3\nbb\tm1\tEmigres\t2\ncc\tm2\tRare\t1\naa\tm3\tSkipped\t0\n",
    "usersha1-profile.tsv": "aa\tm\t22\tGermany\tFeb 1, 2007\n"
    "bb\tf\t\tJapan\tMar 2, 2008\ncc\t\t-1337\tPeru\tMay 3, 2006\n",
}
PAIRS = {"train.txt": "0 0 1\n1 1 2\n2 0\n", "test.txt": "0 2\n1 0\n2 1\n"}
FILES = {
    "csv": PLAIN,
    "lastfm-360k": LASTFM,
    "ml-100k": ML_100K,
    "ml-1m": ML_1M,
    "pairs": PAIRS,
    "recbole": {f"made-up.{kind}": text for kind, text in ATOMIC.items()},
}
LATIN = {"ml-100k", "ml-1m"}


def write(folder: Path, files: Mapping[str, str | bytes], encoding: str = "utf-8") -> Path:
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
    return folder
